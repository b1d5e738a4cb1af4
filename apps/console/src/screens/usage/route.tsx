import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';

export const usageRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'usage',
  component: lazyRouteComponent(() => import('./usage-screen'), 'UsageScreen'),
});
