import type { ResponseBody, Row } from '@spooled/sdk/browser';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import { orNull, pagedQuery } from '../../api/paged-query';

const route = 'GET /api/v1/workers';
const pageSize = 100;
/** Versions change only when a worker registers again. */
const rowRefreshMs = 60_000;
/** Progress and leases of jobs in hand change without events. */
const jobsRefreshMs = 3_000;

export type WorkerRow = Row<typeof route>;
export type WorkerDetails = ResponseBody<'GET /api/v1/workers/{id}'>;
export type WorkerVersions = ResponseBody<'GET /api/v1/worker-versions'>;
export type WorkerVersion = WorkerVersions['versions'][number];
export type JobInHand = ResponseBody<'GET /api/v1/workers/{id}/jobs'>['jobs'][number];

export const workersQuery = pagedQuery(route, {
  queryKey: ['workers', 'list'],
  query: { limit: pageSize },
  meta: { label: 'Workers', topics: ['workers', 'jobs'] },
});

export const workerVersionsQuery = queryOptions({
  queryKey: ['workers', 'versions'],
  queryFn: ({ signal }) => api.workers.versions({ signal }),
  refetchInterval: jobsRefreshMs,
  meta: { label: 'Versions of workers', topics: ['workers', 'jobs'] },
});

/** Null for an id with which no worker is registered. */
export const workerQuery = (id: string) =>
  queryOptions({
    queryKey: ['workers', 'one', id],
    queryFn: ({ signal }) => orNull(api.workers.get(id, { signal })),
    meta: { label: 'Worker', topics: ['workers', 'jobs'] },
  });

/** What the list lacks, for a row of the table. */
export const workerRowQuery = (id: string) =>
  queryOptions({
    queryKey: ['workers', 'row', id],
    queryFn: ({ signal }) => api.workers.get(id, { signal }),
    staleTime: rowRefreshMs,
    refetchInterval: rowRefreshMs,
    meta: { label: 'Versions of workers' },
  });

export const jobsInHandQuery = (id: string) =>
  queryOptions({
    queryKey: ['workers', 'jobs', id],
    queryFn: ({ signal }) => api.workers.jobs(id, { signal }),
    refetchInterval: jobsRefreshMs,
    meta: { label: 'Running jobs', topics: ['jobs'] },
  });
