import { eventually, type Stack, startStack } from '@spooled/testing';
import { startDemo } from './demo-process.js';

let stack: Stack;

beforeAll(async () => {
  stack = await startStack({ engines: 2, realtime: 0 });
}, 60_000);
afterAll(() => stack?.stop());

describe('the demonstration', () => {
  it('finds no lost and no duplicate jobs, also when services are killed', async () => {
    const demo = startDemo(stack, 600);
    await eventually(
      async () => {
        const response = await fetch(`${stack.baseUrl}/api/v1/jobs/stats`, {
          headers: { authorization: `Bearer ${stack.apiKey}` },
        });
        expect(((await response.json()) as { total: number }).total).toBeGreaterThan(50);
      },
      { timeoutMs: 30_000 },
    );
    if (stack.services.includes('engine')) await stack.kill('engine', 0);
    await stack.restart('webhooks');
    await stack.restart('gateway');
    const code = await demo.ended;
    expect([code, demo.output()]).toEqual([0, expect.stringContaining('Nothing lost, nothing completed twice.')]);
    expect(demo.output()).toMatch(/accepted\s+600 webhooks/);
  }, 120_000);
});
