import { rawJson, type workflowSchemas } from '@spooled/contracts';
import type { WorkflowEdgeRow, WorkflowJobRow, WorkflowRow } from '@spooled/data-access';
import { leftOut } from '../jobs/job-responses.js';

/** A workflow as JSON text; its documents are copied as stored, without parsing. */
export const toWorkflowResponse = (row: WorkflowRow): string => rawJson(plainWorkflow(row), { metadata: row.metadata });

const plainWorkflow = (row: WorkflowRow): Omit<workflowSchemas.Workflow, 'metadata'> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  status: row.status,
  total_jobs: row.total_jobs,
  completed_jobs: row.completed_jobs,
  failed_jobs: row.failed_jobs,
  progress_percent: row.total_jobs === 0 ? 0 : (row.completed_jobs / row.total_jobs) * 100,
  created_at: row.created_at,
  started_at: row.started_at,
  completed_at: row.completed_at,
});

/** Published SDKs read the progress from different members; the response has all of them. */
export function toWorkflowDetailResponse(
  workflow: WorkflowRow,
  jobs: WorkflowJobRow[],
  edges: WorkflowEdgeRow[],
): string {
  const { total_jobs: total, completed_jobs: completed, failed_jobs: failed } = workflow;
  const progress = { total, completed, failed, pending: workflow.pending_jobs, processing: workflow.processing_jobs };
  const dependencies = edges.map(({ total: _, ...edge }) => ({ ...edge, dependency_type: 'success' }));
  const plain = {
    ...plainWorkflow(workflow),
    organization_id: workflow.organization_id,
    dependencies,
    ...(leftOut(edges) > 0 && { dependencies_omitted: true }),
    progress,
  };
  return rawJson(plain, {
    metadata: workflow.metadata,
    jobs: jsonArray(jobs.map((job) => detailedJob(workflow.id, job))),
  });
}

export const toWorkflowJobResponse = (workflowId: string, job: WorkflowJobRow): string =>
  rawJson(
    {
      id: job.id,
      workflow_id: workflowId,
      key: job.key,
      queue_name: job.queue_name,
      status: job.status,
      error: job.last_error,
      depends_on: job.depends_on,
      dependency_mode: job.dependency_mode,
      priority: job.priority,
      max_retries: job.max_retries,
      attempt: job.retry_count,
      timeout_seconds: job.timeout_seconds,
      created_at: job.created_at,
      started_at: job.started_at,
      completed_at: job.completed_at,
      ...omission(job),
    },
    { payload: job.payload, result: job.result },
  );

const omission = ({ documents_omitted: isOmitted }: WorkflowJobRow) =>
  isOmitted ? { documents_omitted: true as const } : {};

/** The progress of jobs is not stored, so it is null. */
export const toWorkflowJobStatus = (job: WorkflowJobRow): workflowSchemas.WorkflowJobStatus => {
  const { id, key, status, depends_on } = job;
  return { job_id: id, key, status, progress: null, depends_on };
};

function detailedJob(workflowId: string, job: WorkflowJobRow): string {
  const failed = job.status === 'deadletter' || job.status === 'failed';
  const awaitsRetry = job.status === 'pending' && job.retry_count > 0;
  return rawJson(
    {
      id: job.id,
      organization_id: job.organization_id,
      workflow_id: workflowId,
      key: job.key,
      queue: job.queue_name,
      queue_name: job.queue_name,
      // Steps without a type are told apart by their keys.
      job_type: job.job_type || job.key,
      status: job.status,
      priority: job.priority,
      attempt: job.retry_count,
      max_retries: job.max_retries,
      backoff_type: 'exponential',
      timeout_ms: job.timeout_seconds * 1000,
      created_at: job.created_at,
      scheduled_at: job.scheduled_at,
      started_at: job.started_at,
      completed_at: job.completed_at,
      // The last change of a dead letter is its failure.
      failed_at: failed ? job.updated_at : null,
      next_retry_at: awaitsRetry ? job.scheduled_at : null,
      error: job.last_error === null ? null : { type: 'JobError', message: job.last_error, stack: null },
      parent_job_id: job.parent_job_id,
      depends_on: job.depends_on,
      dependency_mode: job.dependency_mode as workflowSchemas.DetailedWorkflowJob['dependency_mode'],
      ...omission(job),
    } satisfies Omit<workflowSchemas.DetailedWorkflowJob, 'payload' | 'result' | 'metadata'>,
    { payload: job.payload, result: job.result, metadata: job.tags },
  );
}

const jsonArray = (documents: string[]): string => `[${documents.join(',')}]`;
