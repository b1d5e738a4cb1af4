import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';

/** What is stalled, fails or gets worse, the worst first. */
export const problemsQuery = queryOptions({
  queryKey: ['queues', 'problems'],
  queryFn: ({ signal }) => api.monitoring.problems({ signal }),
  refetchInterval: 5_000,
  meta: { label: 'Problems' },
});

/** Numbers of the organization, and how the server is. */
export const dashboardQuery = queryOptions({
  queryKey: ['queues', 'dashboard'],
  queryFn: ({ signal }) => api.health.dashboard({ signal }),
  meta: { label: 'Numbers', topics: ['jobs', 'queues', 'workers'] },
});
