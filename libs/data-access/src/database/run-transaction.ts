import type pg from 'pg';
import { CommitLostError, isDatabaseUnavailable, isReadTimeout } from './database-errors.js';
import { FailureCause } from './failure-cause.js';
import type { TransactionPlan } from './limits.js';
import type { SendStatement } from './transactions.js';

/**
 * Runs `work` between BEGIN and COMMIT.
 * @param first a statement that is sent before those of `work`
 * @param isRepeatable whether it may run again although it had begun
 * @throws LostConnectionError when the transaction may be tried on another connection; CommitLostError when PostgreSQL may have
 * committed; any error of PostgreSQL, and any that `work` throws
 */
export async function runTransaction<T>(
  client: pg.PoolClient,
  { begin, queryTimeoutMs }: TransactionPlan,
  first: readonly [string, readonly unknown[]] | null,
  work: (send: SendStatement) => Promise<T>,
  isRepeatable: boolean,
): Promise<T> {
  const sender = new StatementSender(client, queryTimeoutMs);
  // Pipelined with the first statement of `work`; if it fails, that statement and COMMIT fail too.
  let begun = false;
  const preamble = Promise.all([sender.send(begin).then(() => (begun = true)), first && sender.send(...first)]);
  preamble.catch(() => undefined);
  try {
    const value = await work(async (text, values) => (await sender.send(text, values)).rows);
    await preamble;
    const { command } = await sender.send('COMMIT').catch((error: unknown) => {
      throw isDatabaseUnavailable(error) ? new CommitLostError(error) : error;
    });
    // COMMIT of an aborted transaction does not fail: its command tag is ROLLBACK.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back: an earlier statement had failed');
    return value;
  } catch (error) {
    if (sender.readTimeout && !(error instanceof CommitLostError)) throw sender.readTimeout;
    if (!isDatabaseUnavailable(error)) await sender.send('ROLLBACK').catch(() => undefined);
    else if ((!begun || isRepeatable) && !(error instanceof CommitLostError)) throw new LostConnectionError(error);
    throw error;
  }
}

/** Sends the statements of one transaction, pipelined, each with a time limit for its response. */
class StatementSender {
  /** Statements after the one that timed out fail with a generic connection error; this keeps the cause. */
  readTimeout: unknown;
  private readonly failures = new FailureCause();

  constructor(
    private readonly client: pg.PoolClient,
    private readonly timeoutMs: number,
  ) {}

  send(text: string, values?: readonly unknown[]): Promise<pg.QueryResult> {
    // pg supports `query_timeout` per query; its types declare it per connection only.
    const query: pg.QueryConfig & { query_timeout: number } = {
      text,
      values: values && [...values],
      query_timeout: this.timeoutMs,
    };
    return this.client.query(query).catch((error: unknown) => {
      if (isReadTimeout(error)) this.readTimeout = error;
      throw this.failures.of(error);
    });
  }
}

/** The connection was closed and nothing was committed: before BEGIN was answered, or while a request that only reads ran. */
export class LostConnectionError extends Error {
  constructor(cause: unknown) {
    super('The connection was closed before the transaction could end', { cause });
  }
}
