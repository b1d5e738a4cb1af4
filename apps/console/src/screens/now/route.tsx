import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { oneOf, textOf, timeOf } from '../../app/search-params';
import type { ChartRange } from '../../parts/chart-range';
import { type Comparison, comparisonValues } from '../../parts/comparisons';
import { type Period, periodValues } from '../../parts/periods';

/** `from` and `to` are the part of the charts' period that is shown. */
interface NowSearch extends ChartRange {
  period?: Period;
  compare?: Comparison;
  /** A moment of the past hour (RFC 3339); absent = now. */
  at?: string;
}

export const nowRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  validateSearch: (search: Record<string, unknown>): NowSearch => ({
    period: oneOf(search.period, periodValues),
    compare: oneOf(search.compare, comparisonValues),
    from: timeOf(search.from),
    to: timeOf(search.to),
    at: textOf(search.at),
  }),
  component: lazyRouteComponent(() => import('./now-screen'), 'NowScreen'),
});
