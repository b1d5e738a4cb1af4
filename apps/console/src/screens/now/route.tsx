import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { oneOf } from '../../app/search-params';
import { type Period, periodValues } from '../../parts/periods';

export const nowRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  validateSearch: (search: Record<string, unknown>): { period?: Period } => ({
    period: oneOf(search.period, periodValues),
  }),
  component: lazyRouteComponent(() => import('./now-screen'), 'NowScreen'),
});
