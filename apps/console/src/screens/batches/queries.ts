import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import { pagedQuery } from '../../api/paged-query';
import type { BatchJobStatus, BatchStatus } from './batch-names';

const pageSize = 50;

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

export const batchJobsQuery = (id: string, status?: BatchJobStatus) =>
  pagedQuery('GET /api/v1/batches/{id}/jobs', {
    queryKey: ['batches', 'jobs', id, status],
    params: { id },
    query: { status, limit: pageSize },
    meta: { label: 'Jobs of the batch', topics: ['jobs'] },
  });
