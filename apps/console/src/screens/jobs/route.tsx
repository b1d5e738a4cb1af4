import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { readJobsSearch } from './jobs-search';

export const jobsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'jobs',
  validateSearch: readJobsSearch,
  component: lazyRouteComponent(() => import('./jobs-screen'), 'JobsScreen'),
});
