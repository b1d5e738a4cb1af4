import { maxDocumentBytesPerStatement } from '@spooled/domain';
import { pageParameters, type TimedPage } from '../database/list-position.js';
import { type Searched, searchTimedPage } from '../database/search-in-parts.js';
import { oneOf } from '../database/stored-values.js';
import type { TenantTransaction } from '../database/transactions.js';
import { listWorkflowJobs as listWorkflowJobsSql, type ListWorkflowJobsResult } from './list-workflow-jobs.queries.js';
import {
  findWorkflowsEnd,
  listWorkflows as listWorkflowsSql,
  type ListWorkflowsResult,
} from './list-workflows.queries.js';

export { listWorkflowEdges, type ListWorkflowEdgesResult as WorkflowEdgeRow } from './list-workflow-edges.queries.js';
export type { ListWorkflowJobsResult as WorkflowJobRow };

const workflowStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type WorkflowStatus = (typeof workflowStatuses)[number];

export interface WorkflowRow extends ListWorkflowsResult {
  status: WorkflowStatus;
}

export interface WorkflowListFilter extends TimedPage {
  /** Only workflows that use no other queues; null = all. */
  queues: string[] | null;
  /** Any of them; null = any. */
  statuses: WorkflowStatus[] | null;
}

/** Workflows that a search for pending or running ones reads: to tell one from the other, the jobs of each are read, up to 100. */
const maxComparedWorkflows = 500;
const [open, unsuccessful] = [new Set(['pending', 'running']), new Set(['failed', 'cancelled'])];

/**
 * Workflows, newest first, searched for in parts.
 * @param tx with `repeatableRead`, because several statements find the page
 */
export function listWorkflows(
  tx: TenantTransaction,
  { queues, statuses, ...page }: WorkflowListFilter,
): Promise<Searched<WorkflowRow>> {
  const scope = { kind: kindOf(statuses) };
  const isCompared = statuses?.filter((status) => open.has(status)).length === 1;
  const limits = {
    isSelective: queues !== null || statuses !== null,
    ...(isCompared ? { most: maxComparedWorkflows } : {}),
  };
  return searchTimedPage(page, limits, {
    find: async (part) =>
      (await tx.run(listWorkflowsSql, { ...scope, ...part, id: null, queues, statuses })).map(withStatus),
    findEnd: (part) => tx.run(findWorkflowsEnd, { ...scope, ...part }),
  });
}

/** The kinds that have an index of their own. */
function kindOf(statuses: WorkflowStatus[] | null): 'all' | 'open' | 'unsuccessful' {
  if (statuses?.every((status) => open.has(status))) return 'open';
  return statuses?.every((status) => unsuccessful.has(status)) ? 'unsuccessful' : 'all';
}

/** The workflow, or undefined when it does not exist in the organization. */
export async function findWorkflow(tx: TenantTransaction, id: string): Promise<WorkflowRow | undefined> {
  const row = await tx.first(listWorkflowsSql, {
    id,
    kind: 'all',
    queues: null,
    statuses: null,
    rows: 1,
    ...pageParameters({ limit: 1, offset: 0, after: null }),
  });
  return row && withStatus(row);
}

const withStatus = (row: ListWorkflowsResult): WorkflowRow => ({ ...row, status: oneOf(workflowStatuses, row.status) });

export interface WorkflowJobsFilter {
  jobId?: string | null;
  /** Id of the last job of the previous page. */
  after?: string | null;
  limit?: number | null;
  offset?: number;
  /** Whether payloads and results are wanted. Also then those of later jobs are omitted once the others have 8 MiB. */
  withDocuments: boolean;
}

/** The jobs of a workflow, each after those that it depends on. */
export function listWorkflowJobs(
  tx: TenantTransaction,
  workflowId: string,
  { jobId = null, after = null, limit = null, offset = 0, withDocuments }: WorkflowJobsFilter,
): Promise<ListWorkflowJobsResult[]> {
  const maxBytes = withDocuments ? maxDocumentBytesPerStatement : 0;
  return tx.run(listWorkflowJobsSql, { workflowId, jobId, after, limit, offset, maxBytes });
}
