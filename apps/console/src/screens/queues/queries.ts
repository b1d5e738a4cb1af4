import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ResponseBody } from '@spooled/sdk/browser';
import { api } from '../../api/client';

const route = 'GET /api/v1/queues';
const pageSize = 100;
/** The rows of a long table are read one by one, so less often than a single view. */
const rowRefreshMs = 10_000;

type QueuePage = Exclude<ResponseBody<typeof route>, unknown[]>;
export type QueueConfig = QueuePage['data'][number];

export const queuesQuery = infiniteQueryOptions({
  queryKey: ['queues', 'list'],
  initialPageParam: '',
  queryFn: async ({ pageParam, signal }) =>
    (await api.http.call(route, { query: { limit: pageSize, cursor: pageParam }, signal })) as QueuePage,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  refetchInterval: rowRefreshMs,
  meta: { label: 'Queues' },
});

/** A queue with its settings. */
export const queueQuery = (name: string) =>
  queryOptions({
    queryKey: ['queues', 'settings', name],
    queryFn: ({ signal }) => api.queues.get(name, { signal }),
    meta: { label: `Settings of ${name}`, topics: [] },
  });

/** Why a queue does not move, or how it does. */
export const queueExplanationQuery = (name: string) =>
  queryOptions({
    queryKey: ['queues', 'explanation', name],
    queryFn: ({ signal }) => api.queues.explain(name, { signal }),
    meta: { label: `State of ${name}`, topics: ['queues', 'workers'] },
  });

/** The same for a row of the table. */
export const queueRowQuery = (name: string) =>
  queryOptions({
    ...queueExplanationQuery(name),
    queryKey: ['queues', 'row', name],
    staleTime: rowRefreshMs,
    refetchInterval: rowRefreshMs,
    meta: { label: 'State of queues' },
  });

/** Number of jobs by status. */
export const queueCountsQuery = (name: string) =>
  queryOptions({
    queryKey: ['queues', 'counts', name],
    queryFn: ({ signal }) => api.jobs.stats(name, { signal }),
    meta: { label: `Counts of ${name}`, topics: ['jobs'] },
  });

/** Who created the newest jobs of the last minutes. */
export const producersQuery = (name: string) =>
  queryOptions({
    queryKey: ['queues', 'producers', name],
    queryFn: ({ signal }) => api.queues.producers(name, {}, { signal }),
    refetchInterval: rowRefreshMs,
    meta: { label: `Producers of ${name}` },
  });
