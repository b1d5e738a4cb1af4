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

/** Why it waits, or what it does. */
export const explanationQuery = (id: string) =>
  queryOptions({
    queryKey: ['jobs', 'explanation', id],
    queryFn: ({ signal }) => api.jobs.explain(id, { signal }),
    meta: { label: 'Explanation', topics: ['jobs', 'queues', 'workers'] },
  });
