import type { JobLogs } from '@spooled/sdk/browser';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['jobs', 'one', id],
    queryFn: ({ signal }) => api.jobs.get(id, { signal }),
    meta: { label: 'Job', topics: ['jobs'] },
  });

/** Its statuses, attempts, waits and deliveries over time. */
export const timelineQuery = (id: string) =>
  queryOptions({
    queryKey: ['jobs', 'timeline', id],
    queryFn: ({ signal }) => api.jobs.timeline(id, { signal }),
    meta: { label: 'Timeline', topics: ['jobs'] },
  });

const liveMs = 2_000;
const noLogs: JobLogs = { lines: [], attempts: [], nextCursor: null, hasMore: false };

/** What its handlers have logged. Each read adds the lines that are new. @param isRunning lines may be added at any time */
export const logsQuery = (id: string, isRunning: boolean) =>
  queryOptions({
    queryKey: ['jobs', 'logs', id],
    queryFn: async ({ client, queryKey, signal }) => {
      let known = client.getQueryData<JobLogs>(queryKey) ?? noLogs;
      do {
        const page = await api.jobs.logs(id, { cursor: known.nextCursor ?? undefined, limit: 500 }, { signal });
        known = { ...page, lines: [...known.lines, ...page.lines] };
      } while (known.hasMore);
      return known;
    },
    ...(isRunning && { refetchInterval: liveMs }),
    meta: { label: 'Log', topics: ['jobs'] },
  });

/** Why it waits, or what it does. */
export const explanationQuery = (id: string) =>
  queryOptions({
    queryKey: ['jobs', 'explanation', id],
    queryFn: ({ signal }) => api.jobs.explain(id, { signal }),
    meta: { label: 'Explanation', topics: ['jobs', 'queues', 'workers'] },
  });
