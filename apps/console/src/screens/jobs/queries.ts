import type { JobFilters } from '@spooled/sdk/browser';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import { type JobStatus, jobStatuses } from '../../ui/job-status';
import type { JobsSearch } from './jobs-search';

const pageSize = 100;

const orderings = {
  newest: { orderBy: 'created_at', orderDir: 'desc' },
  oldest: { orderBy: 'created_at', orderDir: 'asc' },
  updated: { orderBy: 'updated_at', orderDir: 'desc' },
  priority: { orderBy: 'priority', orderDir: 'desc' },
} as const satisfies Record<string, Pick<JobFilters, 'orderBy' | 'orderDir'>>;

/** The statuses of an address; unknown ones are ignored. */
export const statusesOf = ({ status = '' }: JobsSearch): JobStatus[] =>
  jobStatuses.filter((one) => status.split(',').includes(one));

/** Whether the address limits which jobs are listed. */
export const isFiltered = ({ order: _order, columns: _columns, follow: _follow, ...filters }: JobsSearch): boolean =>
  Object.values(filters).some(Boolean);

export function filtersOf(search: JobsSearch): JobFilters {
  const statuses = statusesOf(search);
  return {
    queue: search.queue,
    status: statuses.length === 0 ? undefined : statuses,
    search: search.search,
    jobType: search.type,
    tag: search.tag,
    createdAfter: search.after,
    createdBefore: search.before,
    ...orderings[search.order ?? 'newest'],
  };
}

export function jobsQuery(search: JobsSearch) {
  const filters = filtersOf(search);
  return infiniteQueryOptions({
    queryKey: ['jobs', 'list', filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => api.jobs.page({ ...filters, limit: pageSize, cursor: pageParam }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // It would compare all pages with themselves whenever one is added: 30 ms for 100,000 jobs.
    structuralSharing: false,
    meta: { label: 'Jobs', topics: ['jobs'] },
  });
}
