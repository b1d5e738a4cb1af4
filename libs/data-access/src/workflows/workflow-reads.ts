import { pageParameters, type TimedPage } from '../database/list-position.js';
import { oneOf } from '../database/stored-values.js';
import type { TenantTransaction } from '../database/transactions.js';
import {
  listWorkflowEdges as listWorkflowEdgesSql,
  type ListWorkflowEdgesResult,
} from './list-workflow-edges.queries.js';
import { listWorkflowJobs as listWorkflowJobsSql, type ListWorkflowJobsResult } from './list-workflow-jobs.queries.js';
import { listWorkflows as listWorkflowsSql, type ListWorkflowsResult } from './list-workflows.queries.js';

export type { ListWorkflowEdgesResult as WorkflowEdgeRow, ListWorkflowJobsResult as WorkflowJobRow };

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

/** Workflows, newest first. */
export async function listWorkflows(
  tx: TenantTransaction,
  { queues, statuses, ...page }: WorkflowListFilter,
): Promise<WorkflowRow[]> {
  const filter = { organizationId: tx.organizationId, id: null, queues, statuses };
  const rows = await tx.run(listWorkflowsSql, { ...filter, ...pageParameters(page) });
  return rows.map(withStatus);
}

/** The workflow, or undefined when it does not exist in the organization. */
export async function findWorkflow(tx: TenantTransaction, id: string): Promise<WorkflowRow | undefined> {
  const [row] = await tx.run(listWorkflowsSql, {
    organizationId: tx.organizationId,
    id,
    queues: null,
    statuses: null,
    ...pageParameters({ limit: 1, offset: 0, after: null }),
  });
  return row && withStatus(row);
}

const withStatus = (row: ListWorkflowsResult): WorkflowRow => ({ ...row, status: oneOf(workflowStatuses, row.status) });

/** All jobs of a workflow, or only `jobId`. */
export function listWorkflowJobs(
  tx: TenantTransaction,
  workflowId: string,
  jobId: string | null = null,
): Promise<ListWorkflowJobsResult[]> {
  return tx.run(listWorkflowJobsSql, { organizationId: tx.organizationId, workflowId, jobId });
}

export function listWorkflowEdges(tx: TenantTransaction, workflowId: string): Promise<ListWorkflowEdgesResult[]> {
  return tx.run(listWorkflowEdgesSql, { organizationId: tx.organizationId, workflowId });
}
