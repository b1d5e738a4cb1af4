import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Stack, StackAddresses } from '@spooled/testing';

interface DemoProcess {
  ended: Promise<number>;
  output: () => string;
}

/** Runs the built demonstration against a stack, like `npm run demo`. */
export const startDemo = (stack: Stack, jobs: number): DemoProcess =>
  start('demo', ['--url', stack.baseUrl, '--key', stack.apiKey, '--jobs', String(jobs), '--workers', '8']);

/** Runs `npm run seed` without its load. */
export const startSeed = (stack: Pick<StackAddresses, 'baseUrl' | 'adminKey'>): DemoProcess =>
  start('seed', ['--url', stack.baseUrl, '--admin-key', stack.adminKey, '--minutes', '0']);

function start(program: 'demo' | 'seed', flags: string[]): DemoProcess {
  const child = spawn(process.execPath, [`dist/demo/${program}.js`, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (text += data.toString()));
  return { ended: once(child, 'close').then(([code]) => code as number), output: () => text };
}
