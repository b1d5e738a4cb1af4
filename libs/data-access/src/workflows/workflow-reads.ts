import type { JobStatus } from '@spooled/domain';
import type { TenantTransaction } from '../database/transactions.js';
import listWorkflowEdgesSql from './list-workflow-edges.sql';
import listWorkflowJobsSql from './list-workflow-jobs.sql';
import listWorkflowsSql from './list-workflows.sql';

export type WorkflowStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';

export interface WorkflowRow {
  id: string;
  organization_id: string;
  name: string;
  description: string | null;
  status: WorkflowStatus;
  total_jobs: number;
  completed_jobs: number;
  failed_jobs: number;
  /** Jobs that wait, for their time, a worker or other jobs. */
  pending_jobs: number;
  processing_jobs: number;
  metadata: unknown;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  queue_names: string[];
}

export interface WorkflowJobRow {
  id: string;
  organization_id: string;
  key: string;
  queue_name: string;
  job_type: string;
  /** JSON as text, exactly as stored. */
  payload: string;
  /** JSON as text, exactly as stored. */
  result: string | null;
  status: JobStatus;
  priority: number;
  retry_count: number;
  max_retries: number;
  timeout_seconds: number;
  created_at: string;
  scheduled_at: string | null;
  started_at: string | null;
  completed_at: string | null;
  updated_at: string;
  last_error: string | null;
  tags: unknown;
  parent_job_id: string | null;
  dependency_mode: 'all' | 'any';
  /** Keys of the jobs of the same workflow that it waits for. */
  depends_on: string[];
}

export interface WorkflowEdgeRow {
  parent_job_id: string;
  child_job_id: string;
}

export interface WorkflowListFilter {
  /** Only workflows all of whose queues are among these; null = all. */
  queues: string[] | null;
  status: WorkflowStatus | null;
  limit: number;
  offset: number;
}

/** The newest first. */
export function listWorkflows(tx: TenantTransaction, filter: WorkflowListFilter): Promise<WorkflowRow[]> {
  const { queues, status, limit, offset } = filter;
  return tx.query<WorkflowRow>(listWorkflowsSql, [tx.organizationId, null, queues, status, limit, offset]);
}

/** The workflow, or undefined when the organization has none by this id. */
export async function findWorkflow(tx: TenantTransaction, id: string): Promise<WorkflowRow | undefined> {
  const [row] = await tx.query<WorkflowRow>(listWorkflowsSql, [tx.organizationId, id, null, null, 1, 0]);
  return row;
}

/** All jobs of a workflow, or the one named. */
export function listWorkflowJobs(
  tx: TenantTransaction,
  workflowId: string,
  jobId: string | null = null,
): Promise<WorkflowJobRow[]> {
  return tx.query<WorkflowJobRow>(listWorkflowJobsSql, [tx.organizationId, workflowId, jobId]);
}

export function listWorkflowEdges(tx: TenantTransaction, workflowId: string): Promise<WorkflowEdgeRow[]> {
  return tx.query<WorkflowEdgeRow>(listWorkflowEdgesSql, [tx.organizationId, workflowId]);
}
