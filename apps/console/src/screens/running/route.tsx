import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { textOf } from '../../app/search-params';

/** Filters of the list, as in the address. */
export interface RunningSearch {
  /** The exact name of a queue. */
  queue?: string;
  /** The search line. */
  search?: string;
}

export const runningRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'running',
  validateSearch: (search: Record<string, unknown>): RunningSearch => ({
    queue: textOf(search.queue),
    search: textOf(search.search),
  }),
  component: lazyRouteComponent(() => import('./running-screen'), 'RunningScreen'),
});
