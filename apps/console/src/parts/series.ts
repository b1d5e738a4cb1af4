import type { ResponseBody } from '@spooled/sdk/browser';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client';
import { serverNow } from '../ui/server-time';
import { type Period, periods } from './periods';

export type Series = ResponseBody<'GET /api/v1/series'>;
type SeriesPoint = Series['points'][number];

export type SeriesMark = ResponseBody<'GET /api/v1/series/marks'>['marks'][number];

interface SeriesOptions {
  /** Seconds; absent: as the period allows. */
  step?: number;
  /** How much earlier the period ends than now. */
  agoMs?: number;
}

/** Rates and depths of a queue, or of all queues; null in a point = unknown. */
export function seriesQuery(
  queue: string | undefined,
  period: Period = 'hour',
  { step, agoMs = 0 }: SeriesOptions = {},
) {
  const { ms, refreshMs } = periods.find(({ value }) => value === period)!;
  return queryOptions({
    queryKey: ['series', queue ?? null, period, step ?? null, agoMs],
    queryFn: ({ signal }) => {
      const end = serverNow() - agoMs;
      const from = new Date(end - ms).toISOString();
      const to = agoMs === 0 ? undefined : new Date(end).toISOString();
      const query = { queue, from, to, step: step === undefined ? undefined : String(step) };
      return api.monitoring.series(query, { signal });
    },
    staleTime: refreshMs / 2,
    refetchInterval: refreshMs,
    meta: { label: queue === undefined ? 'Charts' : `Charts of ${queue}` },
  });
}

/** Deploys, pauses and operations of a queue, or of all queues. */
export function marksQuery(queue: string | undefined, period: Period) {
  const { ms, refreshMs } = periods.find(({ value }) => value === period)!;
  return queryOptions({
    queryKey: ['series', 'marks', queue ?? null, period],
    queryFn: ({ signal }) =>
      api.monitoring.seriesMarks({ queue, from: new Date(serverNow() - ms).toISOString() }, { signal }),
    staleTime: refreshMs / 2,
    refetchInterval: Math.max(refreshMs, 30_000),
    meta: { label: 'Marks of charts' },
  });
}

/** A count of each step as jobs per second. */
export const perSecond = (
  { points, stepSeconds }: Series,
  member: 'created' | 'completed' | 'failed' | 'started',
): (number | null)[] => points.map((point) => (point[member] === null ? null : point[member] / stepSeconds));

export const valuesOf = (
  { points }: Series,
  member: Exclude<keyof SeriesPoint, 'at' | 'waitMs' | 'runMs'>,
): (number | null)[] => points.map((point) => point[member]);

/** Milliseconds; null where none was measured. */
export const percentileOf = (
  { points }: Series,
  member: 'waitMs' | 'runMs',
  percentile: 'p50' | 'p95' | 'p99',
): (number | null)[] => points.map((point) => point[member]?.[percentile] ?? null);
