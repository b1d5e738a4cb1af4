import { Inject, Injectable } from '@nestjs/common';
import { productMetrics, type ProductMetrics } from '@spooled/contracts';
import { Database, readGauges } from '@spooled/data-access';
import { METRICS, type Metrics } from '@spooled/platform';
import { cached } from './cached.js';

const exported = ['jobsPending', 'jobsProcessing', 'jobMaxAge', 'workersActive', 'workersHealthy'] as const;
/** So that all gauges of one scrape come from one read; the scheduler writes them every 15 seconds. */
const cacheMs = 5_000;

/**
 * Exports the system-wide gauges of the scheduler's table, so that scraping the gateway is enough (SP-34). Every replica exports the same
 * values: aggregate them with `max`, not `sum`.
 */
@Injectable()
export class SystemGauges {
  constructor(database: Database, @Inject(METRICS) metrics: Metrics<ProductMetrics>) {
    const gauges = cached(cacheMs, () => database.asSystem('read gauges', readGauges));
    for (const key of exported) {
      metrics.onScrape(key, async (gauge) => {
        const value = (await gauges()).get(productMetrics[key].name);
        if (value === undefined) gauge.remove();
        else gauge.set(value);
      });
    }
  }
}
