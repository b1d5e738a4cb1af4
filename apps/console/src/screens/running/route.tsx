import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { textOf } from '../../app/search-params';

export const runningRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'running',
  validateSearch: (search: Record<string, unknown>): { queue?: string } => ({ queue: textOf(search.queue) }),
  component: lazyRouteComponent(() => import('./running-screen'), 'RunningScreen'),
});
