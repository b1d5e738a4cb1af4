import { Inject, Injectable } from '@nestjs/common';
import { productMetrics } from '@spooled/contracts';
import { noTimeLimit, Database, refreshGauges, type SystemGauges } from '@spooled/data-access';
import { METRICS } from '@spooled/platform';
import type { ScheduledTask } from '../tasks/scheduled-task.js';
import type { SchedulerMetrics } from '../scheduler.config.js';

const exported = ['jobsPending', 'jobsProcessing', 'jobMaxAge', 'workersActive', 'workersHealthy'] as const;
/** Older values are removed: a gap in a graph is better than a stale value. */
const freshMs = 60_000;

/** Counts live jobs and workers, for the metrics of this process and, through a table, of any other (SP-34, PB-30). */
@Injectable()
export class GaugesTask implements ScheduledTask {
  readonly name = 'gauges';
  readonly intervalMs = 15_000;
  readonly fullBatch = Infinity;
  private latest?: { values: SystemGauges; at: number };

  constructor(
    private readonly db: Database,
    @Inject(METRICS) metrics: SchedulerMetrics,
  ) {
    for (const key of exported) {
      metrics.onScrape(key, (gauge) => {
        const value = this.fresh()?.get(productMetrics[key].name);
        if (value === undefined) gauge.remove();
        else gauge.set(value);
      });
    }
  }

  async run(): Promise<number> {
    const values = await this.db.asSystem('refresh gauges', refreshGauges, noTimeLimit);
    this.latest = { values, at: performance.now() };
    return values.size;
  }

  private fresh(): SystemGauges | undefined {
    return this.latest && performance.now() - this.latest.at < freshMs ? this.latest.values : undefined;
  }
}
