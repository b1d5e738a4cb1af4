import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@spooled/domain';
import { Database, deleteOldSeries, msToNextSample, rollUpSeries, sampleSeries } from '@spooled/data-access';
import { SETTINGS } from '@spooled/platform';
import type { DeadlineTask } from '@spooled/queue';
import { CLOCK } from '@spooled/service';
import type { SchedulerSettings } from '../scheduler.config.js';

/** Seconds between two samples. Each fits into a minute, so that minutes and hours are known even where samples are rare. */
const periods = [10, 20, 30, 60];
/** A sample takes at most this share of its period where the longest period allows it. */
const largestShare = 0.1;
/** Rows of each step that one run deletes; ten seconds of 20,000 busy queues. */
const deletedAtOnce = 20_000;

/**
 * Samples rates and depths of queues (BX-25) every ten seconds, or less often where a sample is slow. Adds the samples up to minutes and
 * hours and deletes what is too old. The first replica takes a sample; the others find it
 * taken.
 */
@Injectable()
export class SeriesTask implements DeadlineTask {
  readonly name = 'series';
  readonly fullBatch = Infinity;
  /** On the monotonic clock. */
  private dueAt = -Infinity;

  constructor(
    private readonly db: Database,
    @Inject(SETTINGS) private readonly settings: Pick<SchedulerSettings, 'SERIES_QUEUES_PER_ORGANIZATION'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  msUntilDue(): Promise<number> {
    return Promise.resolve(this.dueAt - this.clock.monotonic());
  }

  async run(): Promise<number> {
    const startedAt = this.clock.monotonic();
    const most = this.settings.SERIES_QUEUES_PER_ORGANIZATION;
    const sampled = await this.db.asSystem('sample series', (tx) => sampleSeries(tx, most), { timeoutMs: 'none' });
    let rows = sampled ?? 0;
    if (sampled !== null) {
      rows += await this.db.asSystem('roll up series', rollUpSeries, { timeoutMs: 'none' });
      const limit = deletedAtOnce;
      await this.db.asSystem('delete old series', (tx) => tx.one(deleteOldSeries, { limit }), { timeoutMs: 'none' });
    }
    const tookMs = this.clock.monotonic() - startedAt;
    const period = periods.find((seconds) => tookMs <= largestShare * seconds * 1_000) ?? periods.at(-1)!;
    const next = await this.db.asSystem('find the next sample', (tx) => tx.one(msToNextSample, { seconds: period }));
    this.dueAt = this.clock.monotonic() + next.ms;
    return rows;
  }
}
