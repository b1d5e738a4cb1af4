import { CommanderError, InvalidArgumentError } from 'commander';
import { exitCodes, Failure, Incomplete, Interrupted, UsageError } from './errors.js';
import { sentenceOf } from './io/error-text.js';
import type { Io } from './io/io.js';
import { createProgram } from './program.js';

/**
 * Runs one command of the command line (BX-17), with the streams and the environment of this process.
 * @param args without the program's name
 * @returns the exit code, and whether a signal ended it
 */
export async function run(args: string[]): Promise<{ code: number; isInterrupted: boolean }> {
  const interruption = new AbortController();
  const io: Io = { ...processStreams(), env: process.env, signal: interruption.signal };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // The second one ends the process at once, as without a handler.
    process.once(signal, () => interruption.abort(new Interrupted(signal)));
  }
  const code = await createProgram(io)
    .parseAsync(args, { from: 'user' })
    .then(
      () => Number(process.exitCode ?? exitCodes.ok),
      (error: unknown) => codeOf(io, error),
    );
  return { code, isInterrupted: io.signal.aborted && code > 128 };
}

function processStreams() {
  const { stdin, stdout, stderr } = process;
  // The reader has gone, as in `spooled jobs list | head -1`.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.pipeClosed);
    stderr.write(`spooled: Standard output cannot be written (${error.code}).\n`);
    process.exit(exitCodes.failed);
  });
  stderr.on('error', () => undefined);
  return { stdin, stdout, stderr };
}

/** An InvalidArgumentError of a command, unlike one of a parser, is not printed yet. */
const isPrinted = (error: unknown): error is CommanderError =>
  error instanceof CommanderError && !(error instanceof InvalidArgumentError);

function codeOf({ stderr, signal }: Io, error: unknown): number {
  // Commander has printed its help or its error.
  if (isPrinted(error)) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  if (signal.aborted) {
    if (error instanceof Incomplete) stderr.write(`spooled: Interrupted: ${error.done}.\n`);
    return (signal.reason as Interrupted).exitCode;
  }
  // Its output says it already.
  if (error instanceof Failure) return exitCodes.failed;
  stderr.write(`spooled: ${sentenceOf(error)}\n`);
  return error instanceof UsageError || error instanceof InvalidArgumentError ? exitCodes.usage : exitCodes.failed;
}
