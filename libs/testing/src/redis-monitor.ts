import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { TestRedisServer } from './test-redis.js';

export interface MonitoredCommand {
  /** The name of the command and its arguments. */
  words: string[];
  /** The client's address, or `lua` for a command inside a script. */
  source: string;
}

/**
 * Reports every command that this server runs from now on, until the returned function is called. Not by ioredis's
 * `monitor()`: on a busy server the first commands arrive together with the reply to MONITOR, which it treats as replies
 * to commands that it has not sent, and fails.
 */
export async function monitorCommands(
  { port, password }: Pick<TestRedisServer, 'port' | 'password'>,
  onCommand: (command: MonitoredCommand) => void,
): Promise<() => void> {
  const socket = connect({ host: '127.0.0.1', port });
  await once(socket, 'connect');
  let repliesLeft = password ? 2 : 1;
  const started = new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    createInterface({ input: socket }).on('line', (line) => {
      const [, source, text] = /^\+[\d.]+ \[\d+ (\S+)\] (.*)$/.exec(line) ?? [];
      if (source !== undefined) onCommand({ words: wordsOf(text!), source });
      else if (line.startsWith('-')) reject(new Error(line));
      else if (line === '+OK' && --repliesLeft === 0) resolve();
    });
  });
  socket.write(`${password ? `AUTH ${password}\r\n` : ''}MONITOR\r\n`);
  await started;
  return () => socket.destroy();
}

/** `"set" "a \"b\"" "\x00"` as its words. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word]) =>
    word!.replace(/\\(?:x([0-9a-f]{2})|(.))/g, (_, hex?: string, escaped?: string) =>
      hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (controls[escaped!] ?? escaped!),
    ),
  );
}

const controls: Record<string, string> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b' };
