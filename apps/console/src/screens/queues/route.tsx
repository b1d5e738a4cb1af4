import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { oneOf, textOf, timeOf } from '../../app/search-params';
import type { ChartRange } from '../../parts/chart-range';
import { type Comparison, comparisonValues } from '../../parts/comparisons';
import { type Period, periodValues } from '../../parts/periods';
import { queueStatuses, type QueueStatus } from './queue-order';

export interface QueuesSearch {
  /** A part of the name. */
  name?: string;
  state?: QueueStatus;
  /** A moment of the past hour (RFC 3339); absent = now. */
  at?: string;
}

export const queuesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'queues',
  validateSearch: (search: Record<string, unknown>): QueuesSearch => ({
    name: textOf(search.name),
    state: oneOf(search.state, queueStatuses),
    at: textOf(search.at),
  }),
  component: lazyRouteComponent(() => import('./queues-screen'), 'QueuesScreen'),
});

/** `from` and `to` are the part of the charts' period that is shown. */
interface QueueSearch extends ChartRange {
  /** Of the charts. */
  period?: Period;
  compare?: Comparison;
  /** A moment of the past hour (RFC 3339); absent = now. */
  at?: string;
  /** More workers, for the estimate; fewer if negative. */
  workers?: number;
}

const mostWorkers = 100_000;

/** Of the address, where it is a text, or of a link. */
function wholeNumber(value: unknown): number | undefined {
  const number = value === undefined || value === '' ? NaN : Number(value);
  return Number.isInteger(number) && Math.abs(number) <= mostWorkers ? number : undefined;
}

export const queueRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'queues/$name',
  validateSearch: (search: Record<string, unknown>): QueueSearch => ({
    period: oneOf(search.period, periodValues),
    compare: oneOf(search.compare, comparisonValues),
    from: timeOf(search.from),
    to: timeOf(search.to),
    at: textOf(search.at),
    workers: wholeNumber(search.workers),
  }),
  component: lazyRouteComponent(() => import('./queue-screen'), 'QueueScreen'),
});
