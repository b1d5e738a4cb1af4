import type { ResponseBody } from '@spooled/sdk/browser';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';

/** Each read counts all figures, so events do not cause one. */
const refreshMs = 15_000;

export type JobTypes = ResponseBody<'GET /api/v1/job-types'>;
export type JobTypeRow = JobTypes['types'][number];

export const typesQuery = (queue: string | undefined) =>
  queryOptions({
    queryKey: ['job-types', queue ?? ''],
    queryFn: ({ signal }) => api.jobs.types({ queue }, { signal }),
    refetchInterval: refreshMs,
    meta: { label: 'Job types' },
  });
