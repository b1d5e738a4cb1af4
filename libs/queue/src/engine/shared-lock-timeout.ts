const shortestMs = 100;
const longestMs = 1_000;
const stepMs = 50;

/**
 * Adaptive lock timeout of transactions shared by tenants, so that one tenant's locked row does not delay the others:
 * four times the average duration of such a transaction, because under load locks are held longer and splitting batches
 * would add to the load.
 */
export class SharedLockTimeout {
  private averageMs = 0;

  get ms(): number {
    const wanted = Math.ceil((4 * this.averageMs) / stepMs) * stepMs;
    return Math.min(longestMs, Math.max(shortestMs, wanted));
  }

  /** Records the duration of a committed transaction. */
  record(durationMs: number): void {
    this.averageMs += (durationMs - this.averageMs) / 10;
  }
}
