import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { oneOf } from '../../app/search-params';
import { type BatchJobStatus, batchJobStatuses } from './batch-names';
import { type BatchStatus, batchStatuses } from './batch-status';

/** Filters of the list, as in the address. */
export interface BatchesSearch {
  status?: BatchStatus;
}

export const batchesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'batches',
  validateSearch: (search: Record<string, unknown>): BatchesSearch => ({
    status: oneOf(search.status, batchStatuses),
  }),
  component: lazyRouteComponent(() => import('./batches-screen'), 'BatchesScreen'),
});

/** Filters of the jobs, as in the address. */
export interface BatchSearch {
  jobs?: BatchJobStatus;
}

export const batchRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'batches/$id',
  validateSearch: (search: Record<string, unknown>): BatchSearch => ({ jobs: oneOf(search.jobs, batchJobStatuses) }),
  component: lazyRouteComponent(() => import('./batch-screen'), 'BatchScreen'),
});
