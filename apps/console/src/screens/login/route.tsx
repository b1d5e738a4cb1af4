import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { oneOf, textOf } from '../../app/search-params';

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'login',
  validateSearch: (search: Record<string, unknown>): { next?: string; reason?: 'ended' } => ({
    next: textOf(search.next),
    reason: oneOf(search.reason, ['ended']),
  }),
  component: lazyRouteComponent(() => import('./login-screen'), 'LoginScreen'),
});
