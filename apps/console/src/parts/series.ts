import type { ResponseBody } from '@spooled/sdk/browser';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client';
import { type Period, periods } from './periods';

export type Series = ResponseBody<'GET /api/v1/series'>;
type SeriesPoint = Series['points'][number];

/** Rates and depths of a queue, or of all queues; null in a point = unknown. */
export function seriesQuery(queue: string | undefined, period: Period = 'hour', step?: number) {
  const { ms, refreshMs } = periods.find(({ value }) => value === period)!;
  return queryOptions({
    queryKey: ['series', queue ?? null, period, step ?? null],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - ms).toISOString();
      return api.monitoring.series({ queue, from, step: step === undefined ? undefined : String(step) }, { signal });
    },
    staleTime: refreshMs / 2,
    refetchInterval: refreshMs,
    meta: { label: queue === undefined ? 'Charts' : `Charts of ${queue}` },
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
