import { systemClock } from '@spooled/clock';
import { type Database, isWorkerDrained } from '@spooled/data-access';
import type { Clock } from '@spooled/domain';
import type { DrainCheck } from '@spooled/service';

/** Age of an answer from which on it is read again. */
const freshMs = 1_000;

/** Whether the worker of one source was told to drain. Services read all drained workers at once, which one organization may not. */
export class OwnDrain implements DrainCheck {
  private isDrained = false;
  private readAt = -Infinity;
  private reading = false;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock = systemClock,
  ) {}

  /** The last answer; an older one is read again in the background, because claims must not wait for it. */
  has(organizationId: string, workerId: string): Promise<boolean> {
    if (!this.reading && this.clock.monotonic() - this.readAt > freshMs) void this.read(organizationId, workerId);
    return Promise.resolve(this.isDrained);
  }

  private async read(organizationId: string, workerId: string): Promise<void> {
    this.reading = true;
    try {
      const worker = await this.db.withTenant(organizationId, (tx) => tx.one(isWorkerDrained, { id: workerId }));
      this.isDrained = worker.drained;
    } catch {
      // While PostgreSQL is away, claims fail on their own; the next one after that reads again.
    } finally {
      this.readAt = this.clock.monotonic();
      this.reading = false;
    }
  }
}
