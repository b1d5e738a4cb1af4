import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually, type Stack, startStack } from '@spooled/testing';

let stack: Stack;

beforeAll(async () => {
  stack = await startStack({ engines: 2, realtime: 0 });
}, 60_000);
afterAll(() => stack?.stop());

/** Runs the built demonstration, as `npm run demo` does. */
function startDemo(jobs: number): { ended: Promise<number>; output: () => string } {
  const flags = ['--url', stack.baseUrl, '--key', stack.apiKey, '--jobs', String(jobs), '--workers', '8'];
  const child = spawn(process.execPath, ['dist/local/demo.js', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (text += data.toString()));
  return { ended: once(child, 'close').then(([code]) => code as number), output: () => text };
}

describe('the demonstration', () => {
  it('finds nothing lost and nothing done twice, also when services are killed under it', async () => {
    const demo = startDemo(600);
    await eventually(async () => {
      const response = await fetch(`${stack.baseUrl}/api/v1/jobs/stats`, {
        headers: { authorization: `Bearer ${stack.apiKey}` },
      });
      expect(((await response.json()) as { total: number }).total).toBeGreaterThan(50);
    });
    await stack.kill('engine', 0);
    await stack.restart('webhooks');
    await stack.restart('gateway');
    const code = await demo.ended;
    expect([code, demo.output()]).toEqual([0, expect.stringContaining('Nothing lost, nothing completed twice.')]);
    expect(demo.output()).toMatch(/accepted\s+600 webhooks/);
  }, 120_000);
});
