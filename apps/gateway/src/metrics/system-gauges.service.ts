import { Inject, Injectable } from '@nestjs/common';
import { productMetrics, type ProductMetrics } from '@spooled/contracts';
import { Database, readGauges } from '@spooled/data-access';
import { METRICS, type Metrics } from '@spooled/platform';
import { cached } from './cached.js';

const exported = ['jobsPending', 'jobsProcessing', 'jobMaxAge', 'workersActive', 'workersHealthy'] as const;
/** All gauges of one scrape are of one reading; the scheduler writes the figures every 15 seconds. */
const keptMs = 5_000;

/**
 * Shows the figures of the whole system, which the scheduler keeps in a table, in this process's metrics too (SP-34): so
 * one address to scrape is enough. Every replica shows the same, hence `max` and never `sum` over them.
 */
@Injectable()
export class SystemGauges {
  constructor(database: Database, @Inject(METRICS) metrics: Metrics<ProductMetrics>) {
    const figures = cached(keptMs, () => database.asSystem('read gauges', readGauges));
    for (const key of exported) {
      metrics.onScrape(key, async (gauge) => {
        const value = (await figures()).get(productMetrics[key].name);
        if (value === undefined) gauge.remove();
        else gauge.set(value);
      });
    }
  }
}
