import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { oneOf, textOf } from '../../app/search-params';

/** Filters of the list, as in the address. */
export interface SchedulesSearch {
  /** The exact name of a queue. */
  queue?: string;
  state?: (typeof scheduleStates)[number];
  /** A part of the name. */
  name?: string;
}

export const scheduleStates = ['active', 'paused'] as const;

export const schedulesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'schedules',
  validateSearch: (search: Record<string, unknown>): SchedulesSearch => ({
    queue: textOf(search.queue),
    state: oneOf(search.state, scheduleStates),
    name: textOf(search.name),
  }),
  component: lazyRouteComponent(() => import('./schedules-screen'), 'SchedulesScreen'),
});

export const scheduleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'schedules/$id',
  component: lazyRouteComponent(() => import('./schedule-screen'), 'ScheduleScreen'),
});
