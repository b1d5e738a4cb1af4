import type { Batch } from '@spooled/sdk/browser';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import { pagedQuery } from '../../api/paged-query';
import type { BatchJobStatus, BatchStatus } from './batch-status';

const pageSize = 50;
const jobsRefreshMs = 3_000;

export const batchesQuery = (status?: BatchStatus) =>
  pagedQuery('GET /api/v1/batches', {
    queryKey: ['batches', 'list', status],
    query: { status, limit: pageSize },
    meta: { label: 'Batches', topics: ['jobs'] },
  });

export const batchQuery = (id: string) =>
  queryOptions({
    queryKey: ['batches', 'one', id],
    queryFn: ({ signal }) => api.batches.get(id, { signal }),
    meta: { label: 'Batch', topics: ['jobs'] },
  });

/** A page may have 8 MiB of results, so events do not make it read again, and nothing does when all have ended. */
export const batchJobsQuery = ({ id, status: batchStatus, pendingJobs, runningJobs }: Batch, status?: BatchJobStatus) =>
  pagedQuery('GET /api/v1/batches/{id}/jobs', {
    queryKey: ['batches', 'jobs', id, status],
    params: { id },
    query: { status, limit: pageSize },
    refetchInterval: ({ state }) => {
      const changes = batchStatus === 'open' || pendingJobs + runningJobs > 0;
      // Of a list of several pages all would be read again.
      return changes && (state.data?.pages.length ?? 0) < 2 ? jobsRefreshMs : false;
    },
    // It would compare each result with itself.
    structuralSharing: false,
    meta: { label: 'Jobs of the batch' },
  });

/** The statuses of jobs, without their payloads. */
export const callbackStatusesQuery = (ids: string[]) =>
  queryOptions({
    queryKey: ['jobs', 'statuses', ids],
    queryFn: ({ signal }) => api.jobs.statuses(ids, { signal }),
    enabled: ids.length > 0,
    meta: { label: 'Callbacks', topics: ['jobs'] },
  });
