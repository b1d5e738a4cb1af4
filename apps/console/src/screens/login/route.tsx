import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { oneOf, textOf } from '../../app/search-params';
// Before the router rewrites the address.
import '../../app/sign-in-callback';

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'login',
  validateSearch: (search: Record<string, unknown>): { next?: string; reason?: 'ended'; organization?: string } => ({
    next: textOf(search.next),
    organization: textOf(search.organization),
    reason: oneOf(search.reason, ['ended']),
  }),
  component: lazyRouteComponent(() => import('./login-screen'), 'LoginScreen'),
});
