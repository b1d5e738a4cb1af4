import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { oneOf, textOf } from '../../app/search-params';

/** Filters of the list, as in the address. */
export interface FailuresSearch {
  /** The exact name of a queue. */
  queue?: string;
  /** A part of the error or of the job type. */
  q?: string;
  /** Id of a cause, whose groups show. */
  cause?: string;
  order?: (typeof groupOrders)[number];
}

/** Names of the API for groups: the largest first, or the newest first. */
export const groupOrders = ['count', 'last_seen'] as const;

export const failuresRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'failures',
  validateSearch: (search: Record<string, unknown>): FailuresSearch => ({
    queue: textOf(search.queue),
    q: textOf(search.q),
    cause: textOf(search.cause),
    order: oneOf(search.order, groupOrders),
  }),
  component: lazyRouteComponent(() => import('./failures-screen'), 'FailuresScreen'),
});

export const failureGroupRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'failures/$id',
  component: lazyRouteComponent(() => import('./group-screen'), 'GroupScreen'),
});
