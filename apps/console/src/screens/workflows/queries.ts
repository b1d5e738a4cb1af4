import type { ResponseBody } from '@spooled/sdk/browser';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { WorkflowStatus } from './workflow-names';

const route = 'GET /api/v1/workflows';
const pageSize = 100;

type WorkflowPage = Exclude<ResponseBody<typeof route>, unknown[]>;
export type WorkflowRow = WorkflowPage['data'][number];
export type WorkflowDetails = ResponseBody<'GET /api/v1/workflows/{id}'>;
export type Step = WorkflowDetails['jobs'][number];

export const workflowsQuery = (status?: WorkflowStatus) =>
  infiniteQueryOptions({
    queryKey: ['workflows', 'list', status],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) =>
      (await api.http.call(route, { query: { status, limit: pageSize, cursor: pageParam }, signal })) as WorkflowPage,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    meta: { label: 'Workflows', topics: ['workflows', 'jobs'] },
  });

/** With all of its jobs and their dependencies. */
export const workflowQuery = (id: string) =>
  queryOptions({
    queryKey: ['workflows', 'one', id],
    queryFn: ({ signal }) => api.workflows.get(id, { signal }),
    meta: { label: 'Workflow', topics: ['workflows', 'jobs'] },
  });

/** What a retry from a job would run again. */
export const rerunQuery = (id: string, jobId: string) =>
  queryOptions({
    queryKey: ['workflows', 'rerun', id, jobId],
    queryFn: ({ signal }) => api.workflows.rerun(id, jobId, { signal }),
    meta: { label: 'What would run again', topics: ['workflows', 'jobs'] },
  });
