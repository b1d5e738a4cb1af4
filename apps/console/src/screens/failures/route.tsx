import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { oneOf, textOf } from '../../app/search-params';

/** Filters of the list, as in the address. */
export interface FailuresSearch {
  /** The exact name of a queue. */
  queue?: string;
  /** The search line: dead letters show in place of causes, and the filters of causes are left out. */
  search?: string;
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
  validateSearch: ({ queue, search, q, cause, order }: Record<string, unknown>): FailuresSearch => ({
    queue: textOf(queue),
    ...(textOf(search) === undefined
      ? { q: textOf(q), cause: textOf(cause), order: oneOf(order, groupOrders) }
      : { search: textOf(search) }),
  }),
  component: lazyRouteComponent(() => import('./failures-screen'), 'FailuresScreen'),
});

export const failureGroupRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'failures/$id',
  component: lazyRouteComponent(() => import('./group-screen'), 'GroupScreen'),
});
