import { setTimeout as sleep } from 'node:timers/promises';
import { CommitLostError, isLostBeforeCommit, isTransactionConflict } from '@spooled/data-access';

const attempts = 3;
/** No run begins later than this after the first one: callers wait for ten seconds, and a silent connection takes three. */
const lastRunMs = 5_000;
const firstPauseMs = 50;

/** What became of the run before: `undone` = nothing of it happened; `unknown` = the answer to its COMMIT was lost. */
export type PreviousRun = 'none' | 'undone' | 'unknown';

/**
 * Runs a transaction, and runs it again when PostgreSQL broke it off for the sake of another one or its connection was lost. All
 * locks are taken in one order where the order can be known; a batch that both releases and cancels jobs of one graph cannot know it.
 * @throws whatever `transaction` throws otherwise, or still throws the third time
 */
export async function retryAfterConflict<T>(
  transaction: (earlier: PreviousRun) => Promise<T>,
  onConflict?: (error: unknown, what: string) => void,
): Promise<T> {
  const startedAt = performance.now();
  let earlier = 'none' as PreviousRun;
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction(earlier);
    } catch (error) {
      const unknown = error instanceof CommitLostError;
      const lost = unknown || isLostBeforeCommit(error);
      const late = performance.now() - startedAt > lastRunMs;
      if (attempt === attempts || late || !(lost || isTransactionConflict(error))) throw error;
      onConflict?.(error, lost ? 'connection lost, running again' : 'transaction conflict, retrying');
      earlier = unknown || earlier === 'unknown' ? 'unknown' : 'undone';
      // When a server closes all of its connections, the others need a moment to show it.
      if (lost) await sleep(firstPauseMs * attempt);
    }
  }
}
