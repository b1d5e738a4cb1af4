import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { oneOf, textOf } from '../../app/search-params';

/** Filters of the list, as in the address. `status` may be several, joined by commas; times are ISO 8601. */
export interface JobsSearch {
  queue?: string;
  status?: string;
  q?: string;
  type?: string;
  tag?: string;
  after?: string;
  before?: string;
  order?: (typeof orders)[number];
}

export const orders = ['newest', 'oldest', 'updated', 'priority'] as const;

export const jobsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'jobs',
  validateSearch: (search: Record<string, unknown>): JobsSearch => ({
    queue: textOf(search.queue),
    status: textOf(search.status),
    q: textOf(search.q),
    type: textOf(search.type),
    tag: textOf(search.tag),
    after: textOf(search.after),
    before: textOf(search.before),
    order: oneOf(search.order, orders),
  }),
  component: lazyRouteComponent(() => import('./jobs-screen'), 'JobsScreen'),
});
