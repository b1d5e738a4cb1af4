import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { oneOf, textOf } from '../../app/search-params';
import { type Period, periodValues } from '../../parts/periods';

export const queuesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'queues',
  validateSearch: (search: Record<string, unknown>): { name?: string; at?: string } => ({
    name: textOf(search.name),
    at: textOf(search.at),
  }),
  component: lazyRouteComponent(() => import('./queues-screen'), 'QueuesScreen'),
});

export const queueRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'queues/$name',
  validateSearch: (search: Record<string, unknown>): { period?: Period; at?: string } => ({
    period: oneOf(search.period, periodValues),
    at: textOf(search.at),
  }),
  component: lazyRouteComponent(() => import('./queue-screen'), 'QueueScreen'),
});
