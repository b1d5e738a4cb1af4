import type { ResponseBody, Row } from '@spooled/sdk/browser';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import { pagedQuery } from '../../api/paged-query';
import type { SchedulesSearch } from '../../app/screens';

const pageSize = 100;
const rowRefreshMs = 15_000;
const shownRuns = 50;
const nextRuns = 10;
/** Times in which a run was due; the route computes at most 25. */
const checkedTimes = 25;

export type Schedule = ResponseBody<'GET /api/v1/schedules/{id}'>;
export type Run = Row<'GET /api/v1/schedules/{id}/history'>;
export interface Runs {
  runs: Run[];
  /** Null: the server did not say. */
  hasMore: boolean | null;
}
export type RunTime = ResponseBody<'POST /api/v1/schedules/preview'>['runs'][number];

export const schedulesQuery = ({ queue, state }: SchedulesSearch) =>
  pagedQuery('GET /api/v1/schedules', {
    queryKey: ['schedules', 'list', queue, state],
    query: { queueName: queue, isActive: state && state === 'active', limit: pageSize },
    meta: { label: 'Schedules', topics: ['schedules'] },
  });

export const scheduleQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedules', 'one', id],
    queryFn: ({ signal }) => api.schedules.get(id, { signal }),
    meta: { label: 'Schedule', topics: ['schedules', 'jobs'] },
  });

/** The newest runs of a schedule, and whether there are others. */
export const runsQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedules', 'runs', id],
    queryFn: async ({ signal }): Promise<Runs> => {
      const runs = await api.schedules.history(id, { limit: shownRuns }, { signal });
      return { runs, hasMore: runs.hasMore };
    },
    meta: { label: 'Runs of the schedule', topics: ['schedules', 'jobs'] },
  });

/** The newest run, for a row of the table. */
export const lastRunQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedules', 'last-run', id],
    queryFn: async ({ signal }): Promise<Run | null> =>
      (await api.schedules.history(id, { limit: 1 }, { signal }))[0] ?? null,
    staleTime: rowRefreshMs,
    refetchInterval: rowRefreshMs,
    meta: { label: 'Last runs of schedules' },
  });

/** When an expression fires next. @throws ValidationError for an expression or zone that is not valid */
export const previewQuery = (cronExpression: string, timezone: string) =>
  queryOptions({
    queryKey: ['schedules', 'preview', cronExpression, timezone],
    enabled: cronExpression !== '',
    queryFn: ({ signal }) =>
      api.schedules.preview({ cronExpression, timezone: timezone || null, count: nextRuns }, { signal }),
    staleTime: 5_000,
  });

/** The times after a moment at which a schedule was due. */
export const dueTimesQuery = ({ id, cronExpression, timezone }: Schedule, after: string | null) =>
  queryOptions({
    queryKey: ['schedules', 'due', id, cronExpression, timezone, after],
    enabled: after !== null,
    queryFn: async ({ signal }): Promise<string[]> => {
      const { runs } = await api.schedules.preview(
        { cronExpression, timezone, after, count: checkedTimes },
        { signal },
      );
      return runs.map(({ at }) => at);
    },
  });
