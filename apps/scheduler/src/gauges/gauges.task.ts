import { Inject, Injectable } from '@nestjs/common';
import { productMetrics } from '@spooled/contracts';
import { Database, measureQueues, type QueueDepth, refreshGauges, type SystemGauges } from '@spooled/data-access';
import { METRICS, SETTINGS } from '@spooled/platform';
import type { ScheduledTask } from '@spooled/queue';
import type { SchedulerMetrics, SchedulerSettings } from '../scheduler.config.js';

const exported = ['jobsPending', 'jobsProcessing', 'jobMaxAge', 'workersActive', 'workersHealthy'] as const;
/** Older values are removed: a gap in a graph is better than a stale value. */
const freshMs = 60_000;
/** Bounds the series of `spooled_queue_*` over all organizations. */
const maxQueues = 1_000;

interface Figures {
  system: SystemGauges;
  queues: QueueDepth[];
  at: number;
}

/**
 * Counts live jobs and workers, for the metrics of this process and, through a table, of any other (SP-34), and measures the deepest
 * queues for autoscaling (PB-30).
 */
@Injectable()
export class GaugesTask implements ScheduledTask {
  readonly name = 'gauges';
  readonly fullBatch = Infinity;
  private latest?: Figures;

  constructor(
    private readonly db: Database,
    @Inject(SETTINGS) private readonly settings: Pick<SchedulerSettings, 'QUEUE_METRICS_PER_ORGANIZATION'>,
    @Inject(METRICS) metrics: SchedulerMetrics,
  ) {
    for (const key of exported) {
      metrics.onScrape(key, (gauge) => {
        const value = this.fresh()?.system.get(productMetrics[key].name);
        if (value === undefined) gauge.remove();
        else gauge.set(value);
      });
    }
    metrics.onScrape('queueJobs', (gauge) => {
      gauge.reset();
      for (const { organization, queue, pending, processing } of this.fresh()?.queues ?? []) {
        gauge.set({ organization, queue, state: 'pending' }, pending);
        gauge.set({ organization, queue, state: 'processing' }, processing);
      }
    });
    metrics.onScrape('queueMaxAge', (gauge) => {
      gauge.reset();
      for (const { organization, queue, max_age_seconds } of this.fresh()?.queues ?? []) {
        gauge.set({ organization, queue }, max_age_seconds);
      }
    });
  }

  async run(): Promise<number> {
    const perOrganization = this.settings.QUEUE_METRICS_PER_ORGANIZATION;
    const figures = await this.db.asSystem(
      'refresh gauges',
      async (tx) => {
        const { all, queues } = await measureQueues(tx, { perOrganization, total: maxQueues });
        return { system: await refreshGauges(tx, all), queues };
      },
      { timeoutMs: 'none' },
    );
    this.latest = { ...figures, at: performance.now() };
    return figures.system.size;
  }

  private fresh(): Figures | undefined {
    return this.latest && performance.now() - this.latest.at < freshMs ? this.latest : undefined;
  }
}
