import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { oneOf, textOf } from '../../app/search-params';
import { type Comparison, comparisonValues } from '../../parts/comparisons';
import { type Period, periodValues } from '../../parts/periods';

export const nowRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  validateSearch: (search: Record<string, unknown>): { period?: Period; compare?: Comparison; at?: string } => ({
    period: oneOf(search.period, periodValues),
    compare: oneOf(search.compare, comparisonValues),
    at: textOf(search.at),
  }),
  component: lazyRouteComponent(() => import('./now-screen'), 'NowScreen'),
});
