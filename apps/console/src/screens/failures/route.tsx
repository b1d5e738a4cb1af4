import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { oneOf, textOf } from '../../app/search-params';

/** Filters of the list, as in the address. */
export interface FailuresSearch {
  /** The exact name of a queue. */
  queue?: string;
  /** A part of the error or of the job type. */
  q?: string;
  order?: (typeof groupOrders)[number];
}

/** The API's names: the largest first, or the newest first. */
export const groupOrders = ['count', 'last_seen'] as const;

export const failuresRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'failures',
  validateSearch: (search: Record<string, unknown>): FailuresSearch => ({
    queue: textOf(search.queue),
    q: textOf(search.q),
    order: oneOf(search.order, groupOrders),
  }),
  component: lazyRouteComponent(() => import('./failures-screen'), 'FailuresScreen'),
});

export const failureGroupRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'failures/$id',
  component: lazyRouteComponent(() => import('./group-screen'), 'GroupScreen'),
});
