import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { textOf } from '../../app/search-params';

export const typesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'types',
  validateSearch: (search: Record<string, unknown>): { queue?: string } => ({ queue: textOf(search.queue) }),
  component: lazyRouteComponent(() => import('./types-screen'), 'TypesScreen'),
});
