import type { Clock } from '@spooled/domain';
import { CommitLostError, isLostBeforeCommit, isTransactionConflict } from '@spooled/data-access';

const attempts = 3;
/** No retry starts later than this: callers wait for 10 s, and detecting a dead connection takes 3 s. */
const lastRunMs = 5_000;
const firstPauseMs = 50;

/** The previous run: `undone` = rolled back; `unknown` = the response to its COMMIT was lost. */
export type PreviousRun = 'none' | 'undone' | 'unknown';

/**
 * Runs a transaction and retries it after a deadlock, a serialization failure or a lost connection. Locks are taken in
 * one order where it is known in advance; a batch that both releases and cancels jobs of one graph cannot know it.
 * @throws any other error of `transaction`, or its error at the third attempt
 */
export async function retryAfterConflict<T>(
  clock: Clock,
  transaction: (previous: PreviousRun) => Promise<T>,
  onConflict?: (error: unknown, what: string) => void,
): Promise<T> {
  const startedAt = clock.monotonic();
  let previous = 'none' as PreviousRun;
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction(previous);
    } catch (error) {
      const unknown = error instanceof CommitLostError;
      const lost = unknown || isLostBeforeCommit(error);
      const late = clock.monotonic() - startedAt > lastRunMs;
      if (attempt === attempts || late || !(lost || isTransactionConflict(error))) throw error;
      onConflict?.(error, lost ? 'connection lost, retrying' : 'transaction conflict, retrying');
      previous = unknown || previous === 'unknown' ? 'unknown' : 'undone';
      // When the server closes all connections, the pool needs a moment to notice each of them.
      if (lost) await clock.sleep(firstPauseMs * attempt);
    }
  }
}
