import { jobStatuses } from '@spooled/domain';
import { z } from 'zod';
import { bodyOfPublishedAct, listPage, searchedPage, statusFilter } from './conventions.js';
import {
  atMost,
  count,
  jobTimes,
  newQueueName,
  nullableTimestamp,
  requiredJson,
  smallJson,
  text,
  timestamp,
} from './fields.js';
import { newJobFieldsWithout, refusedOfSteps, refusing } from './new-job.js';

export const workflowStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
const modes = z.enum(['all', 'any']);
const maxJobs = 100;

const key = atMost(100)
  .min(1, 'must not be empty')
  .regex(/^[A-Za-z0-9_-]*$/, 'may hold letters, digits, "-" and "_"');

const step = z.object({
  key: key.meta({ description: 'Unique within the workflow.' }),
  queue_name: newQueueName,
  payload: requiredJson,
  depends_on: z
    .array(atMost(100))
    .max(maxJobs, `must hold at most ${maxJobs} keys`)
    .nullish()
    .meta({ description: 'Keys of the jobs in this workflow that must complete first.' }),
  dependency_mode: modes.nullish().meta({ description: 'Whether all of them (the default) or any one must complete.' }),
  ...newJobFieldsWithout(refusedOfSteps),
});
const newWorkflowJob = refusing(refusedOfSteps, step);

export const createWorkflowBody = z.object({
  name: text(1, 255).regex(
    /^[\p{L}\p{N} \-_.:()]*$/u,
    'may hold letters, digits, spaces, "-", "_", ".", ":", "(" and ")"',
  ),
  description: text(0, 1000).nullish(),
  metadata: smallJson,
  jobs: z.array(newWorkflowJob).min(1, 'must hold at least one job').max(maxJobs, `must hold at most ${maxJobs} jobs`),
});
export type CreateWorkflowBody = z.infer<typeof createWorkflowBody>;

export const retryWorkflowBody = bodyOfPublishedAct(
  {
    from_job: text(1, 100).nullish().meta({
      description:
        'Key or id of a job: it and all jobs that depend on it run again, completed or not. Absent: those that did not complete.',
    }),
  },
  ['from_job'],
);
export type RetryWorkflowBody = z.infer<typeof retryWorkflowBody>;

/** What a retry from a job would run again. */
export const rerun = z
  .object({
    job_ids: z.array(z.uuid()).meta({ description: 'The jobs that would run again; empty if there is a problem.' }),
    problem: z.string().nullable().meta({ description: 'Why the retry would be refused now.' }),
  })
  .meta({ id: 'WorkflowRerun' });
export type Rerun = z.infer<typeof rerun>;

export const listWorkflowsQuery = z.object({ status: statusFilter(workflowStatuses, 'is ignored'), ...searchedPage() });
export type ListWorkflowsQuery = z.infer<typeof listWorkflowsQuery>;

/** As many as a workflow has. */
export const listWorkflowJobsQuery = z.object(listPage({ limit: maxJobs, maxLimit: maxJobs }));
export type ListWorkflowJobsQuery = z.infer<typeof listWorkflowJobsQuery>;

const id = z.uuid();
const jobStatus = z.enum(jobStatuses);

export const createdWorkflow = z
  .object({
    workflow_id: id,
    job_ids: z.array(z.object({ key: z.string(), job_id: id })),
    status: z.literal('pending'),
  })
  .meta({ id: 'CreatedWorkflow' });
export type CreatedWorkflow = z.infer<typeof createdWorkflow>;

export const workflow = z
  .object({
    id,
    name: z.string(),
    description: z.string().nullable(),
    status: z.enum(workflowStatuses),
    total_jobs: count,
    completed_jobs: count,
    failed_jobs: count,
    progress_percent: z.number().min(0).max(100),
    created_at: timestamp,
    started_at: nullableTimestamp,
    completed_at: nullableTimestamp,
    metadata: z.unknown().nullable(),
  })
  .meta({ id: 'Workflow' });
export type Workflow = z.infer<typeof workflow>;

const documentsOmitted = z.literal(true).optional().meta({
  description:
    'Present if payload and result are null only because those of the jobs before it have 8 MiB; `GET /jobs/{id}` returns them.',
});

/** A job of a workflow, with every field name that SDKs read. */
const detailedJob = z
  .object({
    id,
    organization_id: id,
    workflow_id: id,
    key: z.string(),
    queue: z.string(),
    queue_name: z.string(),
    job_type: z.string(),
    payload: z.unknown(),
    result: z.unknown().nullable(),
    status: jobStatus,
    priority: z.int(),
    attempt: count,
    max_retries: count,
    backoff_type: z.literal('exponential'),
    timeout_ms: z.int(),
    ...jobTimes,
    failed_at: nullableTimestamp,
    next_retry_at: nullableTimestamp,
    error: z.object({ type: z.string(), message: z.string(), stack: z.null() }).nullable(),
    metadata: z.unknown().nullable(),
    parent_job_id: id.nullable(),
    depends_on: z.array(z.string()),
    dependency_mode: modes,
    documents_omitted: documentsOmitted,
  })
  .meta({ id: 'DetailedWorkflowJob' });
export type DetailedWorkflowJob = z.infer<typeof detailedJob>;

export const workflowDetail = workflow
  .extend({
    organization_id: id,
    jobs: z.array(detailedJob),
    dependencies: z.array(z.object({ parent_job_id: id, child_job_id: id, dependency_type: z.literal('success') })),
    dependencies_omitted: z
      .literal(true)
      .optional()
      .meta({ description: 'Present if there are more than 10,000: some on jobs outside the workflow are left out.' }),
    progress: z.object({ total: count, completed: count, failed: count, pending: count, processing: count }),
  })
  .meta({ id: 'WorkflowDetail' });

export const workflowJob = z
  .object({
    id,
    workflow_id: id,
    key: z.string(),
    queue_name: z.string(),
    status: jobStatus,
    payload: z.unknown(),
    result: z.unknown().nullable(),
    error: z.string().nullable(),
    depends_on: z.array(z.string()),
    dependency_mode: modes,
    priority: z.int(),
    max_retries: count,
    attempt: count,
    timeout_seconds: z.int(),
    created_at: timestamp,
    started_at: nullableTimestamp,
    completed_at: nullableTimestamp,
    documents_omitted: documentsOmitted,
  })
  .meta({ id: 'WorkflowJob' });
export type WorkflowJob = z.infer<typeof workflowJob>;

export const workflowJobStatus = z.object({
  job_id: id,
  key: z.string(),
  status: jobStatus,
  progress: z.number().nullable(),
  depends_on: z.array(z.string()),
});
export type WorkflowJobStatus = z.infer<typeof workflowJobStatus>;
