import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Stack } from '@spooled/testing';

/** Runs the built demonstration against a stack, like `npm run demo`. */
export function startDemo(stack: Stack, jobs: number): { ended: Promise<number>; output: () => string } {
  const flags = ['--url', stack.baseUrl, '--key', stack.apiKey, '--jobs', String(jobs), '--workers', '8'];
  const child = spawn(process.execPath, ['dist/demo/main.js', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (text += data.toString()));
  return { ended: once(child, 'close').then(([code]) => code as number), output: () => text };
}
