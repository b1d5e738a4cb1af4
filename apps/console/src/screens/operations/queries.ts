import type { Operation, OperationDetails } from '@spooled/sdk/browser';
import { type Query, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import { pagedQuery } from '../../api/paged-query';
import type { OperationsSearch } from '../../app/screens';

const pageSize = 50;
/** An operation in progress changes several times per second. */
const progressMs = 1_000;
const listRefreshMs = 3_000;
/** Others may begin one. */
const idleRefreshMs = 15_000;
const groupOperations = 100;

/** Jobs that were replayed are counted as they end, after the operation itself. */
const changes = ({ endedAt, waiting }: Operation): boolean => endedAt === null || waiting > 0;

export const operationsQuery = (search: OperationsSearch) =>
  pagedQuery('GET /api/v1/operations', {
    queryKey: ['operations', 'list', search],
    query: { ...search, limit: pageSize },
    refetchInterval: ({ state }) => {
      const [first, ...others] = state.data?.pages ?? [];
      // Of a list of several pages all would be read again.
      if (others.length > 0) return false;
      return first?.data.some(changes) ? listRefreshMs : idleRefreshMs;
    },
    meta: { label: 'Operations', topics: ['jobs'] },
  });

export const operationQuery = (id: string) =>
  queryOptions({
    queryKey: ['operations', 'one', id],
    queryFn: ({ signal }) => api.operations.get(id, { signal }),
    refetchInterval: ({ state }: Query<OperationDetails>) => (state.data && !changes(state.data) ? false : progressMs),
    meta: { label: 'Operation', topics: ['jobs'] },
  });

/** The jobs that it has changed. Of a list of several pages all would be read again, so only a short one is kept up to date. */
export const changedJobsQuery = (operation: Operation) =>
  pagedQuery('GET /api/v1/operations/{id}/jobs', {
    queryKey: ['operations', 'jobs', operation.id],
    params: { id: operation.id },
    query: { outcome: 'changed', limit: pageSize },
    refetchInterval: ({ state }) => (changes(operation) && (state.data?.pages.length ?? 0) < 2 ? listRefreshMs : false),
    meta: { label: 'Jobs of the operation' },
  });

/** The operations on one group of dead letters, among the newest of the organization. */
export const operationsOfGroupQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['operations', 'group', groupId],
    queryFn: async ({ signal }): Promise<Operation[]> => {
      const newest = await api.operations.list({ limit: groupOperations }, { signal });
      return newest.filter(({ filter }) => filter.groupId === groupId);
    },
    refetchInterval: ({ state }: Query<Operation[]>) => (state.data?.some(changes) ? progressMs : idleRefreshMs),
    meta: { label: 'Operations of this cause', topics: ['jobs'] },
  });
