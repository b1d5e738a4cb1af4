import { isAbortedTransaction } from './database-errors.js';

/** Why statements of one transaction fail: PostgreSQL answers those after the failed one only that the transaction is aborted. */
export class FailureCause {
  any = false;
  private cause: unknown;

  /** @returns the error of the statement that failed, for each one after it as well */
  of(error: unknown): unknown {
    this.any = true;
    if (!isAbortedTransaction(error)) this.cause = error;
    return this.cause ?? error;
  }
}
