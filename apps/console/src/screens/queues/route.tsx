import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { textOf } from '../../app/search-params';

export const queuesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'queues',
  validateSearch: (search: Record<string, unknown>): { name?: string } => ({ name: textOf(search.name) }),
  component: lazyRouteComponent(() => import('./queues-screen'), 'QueuesScreen'),
});

export const queueRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'queues/$name',
  component: lazyRouteComponent(() => import('./queue-screen'), 'QueueScreen'),
});
