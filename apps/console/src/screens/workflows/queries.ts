import type { ResponseBody, Row } from '@spooled/sdk/browser';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import { pagedQuery } from '../../api/paged-query';
import type { WorkflowStatus } from './workflow-status';

const route = 'GET /api/v1/workflows';
const pageSize = 100;

export type WorkflowRow = Row<typeof route>;
export type WorkflowDetails = ResponseBody<'GET /api/v1/workflows/{id}'>;
export type Step = WorkflowDetails['jobs'][number];

export const workflowsQuery = (status?: WorkflowStatus) =>
  pagedQuery(route, {
    queryKey: ['workflows', 'list', status],
    query: { status, limit: pageSize },
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
