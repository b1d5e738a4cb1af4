import type { JobFilters } from '@spooled/sdk/browser';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import { type JobStatus, jobStatuses } from '../../ui/job-status';
import type { JobsSearch } from './route';

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

function filtersOf(search: JobsSearch): JobFilters {
  const statuses = statusesOf(search);
  return {
    queue: search.queue,
    status: statuses.length === 0 ? undefined : statuses,
    q: search.q,
    jobType: search.type,
    tag: search.tag,
    createdAfter: search.after,
    createdBefore: search.before,
    ...orderings[search.order ?? 'newest'],
  };
}

export const jobsQuery = (search: JobsSearch) =>
  infiniteQueryOptions({
    queryKey: ['jobs', 'list', search],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api.jobs.page({ ...filtersOf(search), limit: pageSize, cursor: pageParam }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    meta: { label: 'Jobs', topics: ['jobs'] },
  });
