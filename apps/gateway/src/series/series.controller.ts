import { Controller, Get, Query } from '@nestjs/common';
import { seriesSchemas } from '@spooled/contracts';
import { Database, findMarks, readClock, readSeries } from '@spooled/data-access';
import type { Principal } from '@spooled/service';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { requireQueue } from '../auth/queue-scope.js';
import { ApiTags, ResponseSchema, validated } from '../http/routes.js';
import { boundsOf, minuteBefore, periodOf } from './period.js';
import { pointsOf, readingFrom } from './points.js';

type Point = seriesSchemas.SeriesPoint;

/** The name under which an organization as a whole is kept. */
const organization = '';

/** Rates and depths of queues over time, as the scheduler has sampled them (BX-25). */
@ApiTags('dashboard')
@Controller('series')
export class SeriesController {
  constructor(private readonly database: Database) {}

  /** @throws SpooledError 400 for a period that is empty or has too many steps, 403 scope */
  @Get()
  @Requires('read')
  @ResponseSchema(seriesSchemas.series)
  async get(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(seriesSchemas.seriesQuery)) query: seriesSchemas.SeriesQuery,
  ): Promise<seriesSchemas.Series> {
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

  /** Deploys, pauses and operations of a period. @throws SpooledError 400 for an empty period, 403 scope */
  @Get('marks')
  @Requires('read')
  @ResponseSchema(seriesSchemas.seriesMarks)
  async marks(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(seriesSchemas.seriesMarksQuery)) query: seriesSchemas.SeriesMarksQuery,
  ): Promise<seriesSchemas.SeriesMarks> {
    const { queue } = query;
    if (queue !== undefined) requireQueue(principal, queue);
    return this.database.withTenant(principal.organizationId, async (tx) => {
      const { from, to } = boundsOf(query, Date.parse(await readClock(tx)));
      const period = { from: toTime(from), to: toTime(to) };
      const filter = { scope: principal.queues, queue: queue ?? null, ...period };
      const { marks, hasMore } = await findMarks(tx, { ...filter, most: seriesSchemas.maxSeriesMarks });
      return { ...period, marks: marks as seriesSchemas.SeriesMarks['marks'], has_more: hasMore };
    });
  }

  /** How each queue and all together were at a moment. @throws SpooledError 400 for a moment in the future or more than 60 minutes ago */
  @Get('queues')
  @Requires('read')
  @ResponseSchema(seriesSchemas.seriesMoment)
  async at(
    @CurrentPrincipal() { organizationId, queues }: Principal,
    @Query(validated(seriesSchemas.seriesMomentQuery)) { at }: seriesSchemas.SeriesMomentQuery,
  ): Promise<seriesSchemas.SeriesMoment> {
    return this.database.withTenant(organizationId, async (tx) => {
      const period = minuteBefore(at, Date.parse(await readClock(tx)));
      const { rows, samples } = await readSeries(tx, {
        queues: queues && [organization, ...queues],
        step: period.storedMs / 1_000,
        from: toTime(readingFrom(period)),
        to: toTime(period.toMs),
      });
      const byQueue = Map.groupBy(rows, ({ queue_name }) => queue_name);
      const whole = byQueue.get(organization) ?? [];
      const minuteOf = (names: string[]) => {
        const own = names.flatMap((name) => (name === organization ? [] : (byQueue.get(name) ?? [])));
        const [{ at: _, ...minute }] = pointsOf(period, names, { rows: [...own, ...whole], samples }) as [Point];
        return minute;
      };
      const known = [...byQueue.keys()].filter((name) => name !== organization);
      const found = known.map((queue) => ({ queue, ...minuteOf([queue]) }));
      return {
        at: toTime(period.toMs),
        all: minuteOf(queues ?? [organization]),
        queues: found.sort(byPending).slice(0, seriesSchemas.maxSeriesQueues),
      };
    });
  }
}

/** The most pending jobs first. */
const byPending = (one: { queue: string; pending: number | null }, other: typeof one): number =>
  (other.pending ?? -1) - (one.pending ?? -1) || (one.queue < other.queue ? -1 : 1);

const toTime = (ms: number): string => new Date(ms).toISOString();
