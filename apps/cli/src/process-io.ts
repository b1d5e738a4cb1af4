import { exitCodes, Interrupted } from './errors.js';
import type { Io } from './io/io.js';

/** Streams, environment and signals of this process. */
export function processIo(): Io {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // The second one ends the process at once, as without a handler.
    process.once(signal, () => interruption.abort(new Interrupted(signal)));
  }
  const { stdin, stdout, stderr, env } = process;
  // The reader has gone, as in `spooled jobs list | head -1`.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.pipeClosed);
    stderr.write(`spooled: Standard output cannot be written (${error.code}).\n`);
    process.exit(exitCodes.failed);
  });
  stderr.on('error', () => undefined);
  return { stdin, stdout, stderr, env, signal: interruption.signal };
}
