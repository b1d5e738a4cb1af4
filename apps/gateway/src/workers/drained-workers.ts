import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@spooled/domain';
import { Database, listDrainedWorkers } from '@spooled/data-access';
import { AppLogger } from '@spooled/platform';
import { CLOCK, type DrainCheck } from '@spooled/service';

/** Age up to which the set is used without a read, and during a read. */
const [freshMs, keptMs] = [1_000, 3_000];
/** Others keep getting jobs. They are the organization's own that were told to drain first, so that no other organization notices. */
const bounds = { perOrganization: 2_000, most: 10_000 };

/**
 * The draining workers of all organizations, which claims check. Each process reads them once per second instead of once per claim, so
 * a worker may still get jobs for a second after another gateway has accepted the request to drain it.
 */
@Injectable()
export class DrainedWorkers implements DrainCheck {
  private drained: ReadonlySet<string> = new Set();
  private readAt = -Infinity;
  private reading: Promise<void> | null = null;

  constructor(
    private readonly database: Database,
    private readonly logger: AppLogger,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Never rejects: on read errors the last known set is used. */
  async has(organizationId: string, workerId: string): Promise<boolean> {
    const ageMs = this.clock.monotonic() - this.readAt;
    if (ageMs > freshMs) this.reading ??= this.read();
    if (ageMs > keptMs) await this.reading;
    return this.drained.has(keyOf(organizationId, workerId));
  }

  /** A worker was drained or registered at this gateway. */
  async changed(): Promise<void> {
    // One that has begun before may not show the change.
    await this.reading;
    await (this.reading ??= this.read());
  }

  private async read(): Promise<void> {
    try {
      const found = await this.database.asSystem('find drained workers', (tx) => tx.run(listDrainedWorkers, bounds));
      this.drained = new Set(found.map(({ organization_id, id }) => keyOf(organization_id, id)));
    } catch (err) {
      this.logger.warn({ err }, 'failed to read drained workers; using the last known set');
    } finally {
      this.readAt = this.clock.monotonic();
      this.reading = null;
    }
  }
}

const keyOf = (organizationId: string, workerId: string): string => `${organizationId} ${workerId}`;
