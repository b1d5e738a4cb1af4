const shortestMs = 100;
const longestMs = 1_000;
const stepMs = 50;

/**
 * How long a transaction of many tenants waits for a lock before it is split, so that one tenant's locked row does not hold up the
 * others: four times what such a transaction takes, because under load the locks of others are held for longer, and splitting
 * then would only add to it.
 */
export class SharedLockTimeout {
  private averageMs = 0;

  get ms(): number {
    const wanted = Math.ceil((4 * this.averageMs) / stepMs) * stepMs;
    return Math.min(longestMs, Math.max(shortestMs, wanted));
  }

  /** Told how long a transaction took that was committed. */
  note(durationMs: number): void {
    this.averageMs += (durationMs - this.averageMs) / 10;
  }
}
