import type { ResponseBody } from '@spooled/sdk/browser';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { RunningSearch } from '../../app/screens';

/** Progress and leases change without events. */
const refreshMs = 3_000;

type Running = ResponseBody<'GET /api/v1/jobs/running'>;
export type RunningJob = Running['jobs'][number];

export const runningQuery = ({ queue, search }: RunningSearch) =>
  queryOptions({
    queryKey: ['jobs', 'running', queue ?? '', search ?? ''],
    queryFn: ({ signal }) => api.jobs.running({ queue, search }, { signal }),
    refetchInterval: refreshMs,
    meta: { label: 'Running jobs', topics: ['jobs'] },
  });
