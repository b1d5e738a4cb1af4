import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';

export const organizationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'organization',
  component: lazyRouteComponent(() => import('./organization-screen'), 'OrganizationScreen'),
});
