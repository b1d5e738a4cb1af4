import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { oneOf, textOf } from '../../app/search-params';
import { type WorkerStatus, workerStatuses } from './worker-status';

/** Filters of the list, as in the address. */
export interface WorkersSearch {
  status?: WorkerStatus;
  /** A part of the host, the id or the queue. */
  q?: string;
}

export const workersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'workers',
  validateSearch: (search: Record<string, unknown>): WorkersSearch => ({
    status: oneOf(search.status, workerStatuses),
    q: textOf(search.q),
  }),
  component: lazyRouteComponent(() => import('./workers-screen'), 'WorkersScreen'),
});

export const workerRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'workers/$id',
  component: lazyRouteComponent(() => import('./worker-screen'), 'WorkerScreen'),
});
