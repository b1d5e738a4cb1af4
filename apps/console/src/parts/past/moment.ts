import type { ResponseBody } from '@spooled/sdk/browser';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import { serverNow } from '../../ui/server-time';

export type Moment = ResponseBody<'GET /api/v1/series/queues'>;
/** A queue, or all queues together, at a moment: counts are of the minute before. */
export type Minute = Moment['all'];

/** How far one can look back. */
export const reachMs = 3_600_000;
/** Samples are taken so often. */
export const stepMs = 10_000;

/** A sample is taken some seconds after its moment, later while the server is busy. */
const lateMs = 60_000;

/** Whether the sample of a moment may not have been taken yet. */
export const isYoung = (at: number): boolean => serverNow() - at < lateMs;

/** A moment of a URL as milliseconds since the epoch; undefined if it is none. */
export function momentOf(at: string | undefined): number | undefined {
  const ms = at === undefined ? NaN : Date.parse(at);
  return Number.isNaN(ms) ? undefined : ms;
}

/** The member `at` of a URL's query: a time without milliseconds. */
export const momentText = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** How all queues were at a moment. It does not change any more once its sample has been taken. */
export const momentQuery = (at: number) =>
  queryOptions({
    queryKey: ['series', 'moment', at],
    queryFn: ({ signal }) => api.monitoring.seriesAt(momentText(at), { signal }),
    staleTime: Infinity,
    refetchInterval: ({ state: { data } }) => (data?.all.pending === null && isYoung(at) ? stepMs / 2 : false),
    gcTime: 60_000,
    // While one moves through time, the numbers of the moment before stay.
    placeholderData: keepPreviousData,
    meta: { label: 'Numbers of the past' },
  });
