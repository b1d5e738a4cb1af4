import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';

export const jobRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'jobs/$id',
  component: lazyRouteComponent(() => import('./job-screen'), 'JobScreen'),
});
