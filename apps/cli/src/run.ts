import { CommanderError, InvalidArgumentError } from 'commander';
import { exitCodes, Failure, Incomplete, type Interrupted, UsageError } from './errors.js';
import { sentenceOf } from './io/error-text.js';
import type { Io } from './io/io.js';
import { createProgram } from './program.js';

/**
 * Runs one command of the command line (BX-17).
 * @param args without the program's name
 * @param io its signal is aborted with an Interrupted
 * @returns the exit code, and whether a signal ended it
 */
export async function run(args: string[], io: Io): Promise<{ code: number; isInterrupted: boolean }> {
  const code = await createProgram(io)
    .parseAsync(args, { from: 'user' })
    .then(
      () => exitCodes.ok,
      (error: unknown) => codeOf(io, error),
    );
  return { code, isInterrupted: io.signal.aborted && code > 128 };
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
