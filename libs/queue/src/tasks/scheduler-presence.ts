import { systemClock } from '@spooled/clock';
import { type Database, isLockHeld, withAdvisoryLock } from '@spooled/data-access';
import type { Clock } from '@spooled/domain';

const lockName = 'scheduler';

/** A lock whose connection was lost unnoticed is taken again after this time. */
const termMs = 60_000;
/** Pause of a scheduler that does not hold the lock, because another one or a check does. */
const retryMs = 2_000;

/** Whether a scheduler runs on this database; embedded processes then leave the periodic work to it. @throws SpooledError 503 */
export const isSchedulerRunning = (db: Database): Promise<boolean> => isLockHeld(db, lockName);

/** Shows embedded processes that a scheduler runs, by an advisory lock that one replica holds and that ends with its connection. */
export class SchedulerPresence {
  private readonly stopping = new AbortController();
  private holding: Promise<void> = Promise.resolve();

  constructor(
    private readonly db: Database,
    private readonly clock: Clock = systemClock,
  ) {}

  start(): void {
    this.holding = this.hold();
  }

  /** Resolves when the lock is released. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.holding;
  }

  private async hold(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const held = await withAdvisoryLock(this.db, lockName, () => this.pause(termMs)).catch(() => null);
      if (held === null) await this.pause(retryMs);
    }
  }

  /** @returns true */
  private async pause(ms: number): Promise<boolean> {
    await this.clock.sleep(ms, this.stopping.signal);
    return true;
  }
}
