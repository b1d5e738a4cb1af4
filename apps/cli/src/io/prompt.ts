import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from '../errors.js';
import { openInput } from './input.js';
import type { Io } from './io.js';
import { printable } from './printable.js';

/** No key is longer. */
const longestSecret = 4_096;

/**
 * Asks for a yes. Without a terminal nobody can answer, so `--yes` must be the answer.
 * @throws UsageError without a terminal and `--yes`, or when the answer is no
 */
export async function confirm(io: Io, question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  // Names in it come from others and could forge what is asked.
  const shown = printable(question);
  if (!io.stdin.isTTY) throw new UsageError(`${shown} Nothing was changed: repeat it with --yes`);
  const answer = await ask(io, createInterface({ input: io.stdin, output: io.stderr }), `${shown} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('Nothing was changed');
}

/** A secret from the terminal, which does not show it, or the first line of standard input. */
export async function readSecret(io: Io, question: string): Promise<string> {
  if (!io.stdin.isTTY) return firstLine(openInput(io, '-'));
  io.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const secret = await ask(io, createInterface({ input: io.stdin, output: silent, terminal: true }), '');
  io.stderr.write('\n');
  return secret.trim();
}

/** @throws UsageError when the input ends without an answer */
function ask({ signal }: Io, lines: Interface, question: string): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    // Read from the terminal, Ctrl-C is a character and no signal.
    lines.once('SIGINT', () => reject(new UsageError('Nothing was changed')));
    lines.once('close', () => reject(new UsageError('Nothing was changed: there was no answer')));
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    lines.question(question, resolve);
  }).finally(() => lines.close());
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.includes('\n')) break;
    if (text.length > longestSecret) throw new UsageError('Standard input holds no key');
  }
  return text.split('\n', 1)[0]!.trim();
}
