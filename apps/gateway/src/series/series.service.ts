import { Injectable } from '@nestjs/common';
import type { seriesSchemas } from '@spooled/contracts';
import { Database, readClock, readSeries } from '@spooled/data-access';
import type { Principal } from '@spooled/service';
import { requireQueue } from '../auth/queue-scope.js';
import { periodOf } from './period.js';
import { pointsOf, readingFrom } from './points.js';

/** The name under which an organization as a whole is kept. */
const organization = '';

/** Rates and depths of queues over time, as the scheduler has sampled them (BX-25). */
@Injectable()
export class SeriesService {
  constructor(private readonly database: Database) {}

  /** @throws SpooledError 400 for a period that is empty or has too many steps, 403 scope */
  async get(principal: Principal, query: seriesSchemas.SeriesQuery): Promise<seriesSchemas.Series> {
    const { queue } = query;
    if (queue !== undefined) requireQueue(principal, queue);
    const queues = queue === undefined ? (principal.queues ?? [organization]) : [queue];
    return this.database.withTenant(principal.organizationId, async (tx) => {
      const period = periodOf(query, Date.parse(await readClock(tx)));
      const found = await readSeries(tx, {
        queues: [...new Set([organization, ...queues])],
        step: period.storedMs / 1_000,
        from: toTime(readingFrom(period)),
        to: toTime(period.toMs),
      });
      return {
        queue: queue ?? null,
        from: toTime(period.fromMs),
        to: toTime(period.toMs),
        step_seconds: period.stepMs / 1_000,
        points: pointsOf(period, queues, found),
      };
    });
  }
}

const toTime = (ms: number): string => new Date(ms).toISOString();
