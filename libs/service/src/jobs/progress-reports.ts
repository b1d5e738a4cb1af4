import { systemClock } from '@spooled/clock';
import type { Clock } from '@spooled/domain';
/** The shortest time between two reports about a job that are written. */
const intervalMs = 1_000;

/**
 * Bounds how often the progress of a job is written: the first report is sent at once, and then at most one per second, the newest. A
 * report that a newer one of the same lease replaces succeeds with it unsent; at most one per lease waits.
 */
export class ProgressReports {
  /** By lease; `null`: nothing waits for the end of the interval. */
  private readonly waiting = new Map<
    string,
    { send: () => Promise<void>; resolve(): void; reject(error: unknown): void } | null
  >();

  constructor(private readonly clock: Clock = systemClock) {}

  /** @param lease whose report it is: organization, job, and what the caller shows. @throws what `send` throws */
  report(lease: string, send: () => Promise<void>): Promise<void> {
    const previous = this.waiting.get(lease);
    if (previous === undefined) {
      this.startInterval(lease);
      return send();
    }
    previous?.resolve();
    return new Promise((resolve, reject) => this.waiting.set(lease, { send, resolve, reject }));
  }

  private startInterval(lease: string): void {
    this.waiting.set(lease, null);
    this.clock.after(intervalMs, () => {
      const next = this.waiting.get(lease);
      this.waiting.delete(lease);
      if (!next) return;
      this.startInterval(lease);
      next.send().then(next.resolve, next.reject);
    });
  }
}
