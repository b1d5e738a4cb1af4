import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { oneOf, textOf } from '../../app/search-params';

/** Filters of the list, as in the address. */
export interface FailuresSearch {
  /** The exact name of a queue. */
  queue?: string;
  /** The search line. */
  search?: string;
  /** The dead letters of the search one by one, in place of causes; the other filters of causes are left out. */
  view?: 'jobs';
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
  // Each member, because the router keeps those of the address that are left out.
  validateSearch: ({ queue, search, view, q, cause, order }: Record<string, unknown>): FailuresSearch => {
    const line = { queue: textOf(queue), search: textOf(search) };
    return view === 'jobs' && line.search !== undefined
      ? { ...line, view, q: undefined, cause: undefined, order: undefined }
      : { ...line, view: undefined, q: textOf(q), cause: textOf(cause), order: oneOf(order, groupOrders) };
  },
  component: lazyRouteComponent(() => import('./failures-screen'), 'FailuresScreen'),
});

export const failureGroupRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'failures/$id',
  validateSearch: ({ search }: Record<string, unknown>): Pick<FailuresSearch, 'search'> => ({ search: textOf(search) }),
  component: lazyRouteComponent(() => import('./group-screen'), 'GroupScreen'),
});
