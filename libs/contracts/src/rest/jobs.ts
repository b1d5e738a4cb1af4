import { jobStatuses, longestQueueName } from '@spooled/domain';
import { z } from 'zod';
import { bodyOfPublishedAct, filter, searchedPage, statusFilter, textFilter } from './conventions.js';
import { deadLetterFilter } from './dead-letter-filter.js';
import {
  anyId,
  atMost,
  count,
  instant,
  jobTimes,
  maxRetries,
  newQueueName,
  nullableTimestamp,
  priority,
  requiredJson,
  shownReceiver,
  text,
  timeoutSeconds,
  timestamp,
  whole,
} from './fields.js';
import { visibleJobSettingFields } from './job-settings.js';
import { newJobFields } from './new-job.js';
import { aboutSearch, searchLine, searchOfAct } from './search-line.js';

/** What a list of jobs may be sorted by. */
export const jobOrders = ['created_at', 'updated_at', 'scheduled_at', 'priority', 'status'] as const;

/** Either name. One longer than any queue name is rejected: ignoring it would return all queues. */
const queueFilters = { queue_name: atMost(longestQueueName).optional(), queue: atMost(longestQueueName).optional() };

const about = {
  q: 'The start of the id, or part of the queue name or of `payload.job_type`, in any case',
  job_type: 'Equal to `payload.job_type`',
  tag: 'A top-level key of `tags`, an element of it if it is an array, or the whole of it if it is a text',
  created_after: 'Created at this time or later',
  created_before: 'Created before this time',
};

/** No worker holds the job, and it has not ended. */
const waitingStatuses = ['pending', 'scheduled'] as const;

/** The filters of `jobFilters` in the body of an act on the jobs of a queue. Null = absent; an empty text is not. */
export const jobFilterBody = {
  q: text(1, 255).nullish().meta({ description: about.q }),
  search: searchOfAct(waitingStatuses),
  job_type: text(0, 255).nullish().meta({ description: about.job_type }),
  tag: text(1, 1024).nullish().meta({ description: about.tag }),
  created_after: instant.nullish().meta({ description: about.created_after }),
  created_before: instant.nullish().meta({ description: about.created_before }),
} satisfies Record<keyof typeof about | 'search', z.ZodType>;

/** All given filters must hold at once. */
const jobFilters = {
  ...queueFilters,
  search: searchLine().meta({ description: `${aboutSearch}, so a page may be short` }),
  q: textFilter(255, about.q),
  job_type: textFilter(255, about.job_type),
  tag: textFilter(1024, about.tag),
  created_after: instant.optional().meta({ description: about.created_after }),
  created_before: instant.optional().meta({ description: about.created_before }),
  order_by: filter(z.enum(jobOrders)),
  order_dir: filter(z.enum(['asc', 'desc'])),
  ...searchedPage(),
};

export const listJobsQuery = z.object({ ...jobFilters, status: statusFilter(jobStatuses, 'matches nothing') });
export type ListJobsQuery = z.infer<typeof listJobsQuery>;

export const listDeadLettersQuery = z.object(jobFilters);
export type ListDeadLettersQuery = z.infer<typeof listDeadLettersQuery>;

export const queueQuery = z.object(queueFilters);
export type QueueQuery = z.infer<typeof queueQuery>;

export const runningJobsQuery = queueQuery.extend({
  search: searchLine(['processing']).meta({ description: aboutSearch }),
});
export type RunningJobsQuery = z.infer<typeof runningJobsQuery>;

export const idsQuery = z.object({ ids: atMost(8192).optional() });
export type IdsQuery = z.infer<typeof idsQuery>;

/** Jobs that one request creates or completes at most. */
export const maxBulkJobs = 100;

export const createJobBody = z.object({
  queue_name: newQueueName,
  payload: requiredJson,
  ...newJobFields,
});
export type CreateJobBody = z.infer<typeof createJobBody>;

export const bulkJobItem = createJobBody.omit({ queue_name: true });
export type BulkJobItem = z.infer<typeof bulkJobItem>;

export const bulkJobsBody = z.object({
  queue_name: newQueueName,
  jobs: z
    .array(bulkJobItem)
    .min(1, 'must hold at least one job')
    .max(maxBulkJobs, `must hold at most ${maxBulkJobs} jobs`),
  default_priority: priority.nullish(),
  default_max_retries: maxRetries.nullish(),
  default_timeout_seconds: timeoutSeconds.nullish(),
});
export type BulkJobsBody = z.infer<typeof bulkJobsBody>;

/** As `bulkJobsBody`, of a route that no published SDK calls. */
export const batchJobsBody = bulkJobsBody
  .extend({
    jobs: z
      .array(bulkJobItem.strict())
      .min(1, 'must hold at least one job')
      .max(maxBulkJobs, `must hold at most ${maxBulkJobs} jobs`),
  })
  .strict();

export const priorityBody = z.object({ priority });
export type PriorityBody = z.infer<typeof priorityBody>;

const maxRetried = 100;
const maxPurged = 10_000;
const idsUpTo = (most: number) => z.array(anyId).max(most, `must hold at most ${most} ids`);

export const deadLetterRetryBody = bodyOfPublishedAct(
  {
    job_ids: idsUpTo(maxRetried).nullish(),
    queue_name: text(1, longestQueueName).nullish(),
    limit: whole(1, maxRetried).nullish(),
  },
  ['job_ids', 'queue_name'],
  Object.keys(deadLetterFilter),
);
export type DeadLetterRetryBody = z.infer<typeof deadLetterRetryBody>;

export const deadLetterPurgeBody = bodyOfPublishedAct(
  {
    job_ids: idsUpTo(maxPurged).nullish(),
    queue_name: text(1, longestQueueName).nullish(),
    older_than: instant.nullish(),
    older_than_days: whole(0, 36_500).nullish(),
    limit: whole(1, maxPurged).nullish(),
    confirm: z.boolean().nullish(),
  },
  ['job_ids', 'queue_name', 'older_than', 'older_than_days'],
  Object.keys(deadLetterFilter),
);
export type DeadLetterPurgeBody = z.infer<typeof deadLetterPurgeBody>;

const status = z.enum(jobStatuses);
const id = z.uuid();

export const jobSummary = z.object({
  id,
  queue_name: z.string(),
  status,
  priority: z.int(),
  attempt: count,
  retry_count: count,
  max_retries: count,
  job_type: z.string(),
  last_error: z.string().nullable(),
  ...jobTimes,
});
export type JobSummary = z.infer<typeof jobSummary>;

export const job = z.object({
  id,
  organization_id: id,
  queue_name: z.string(),
  status,
  payload: z.unknown(),
  result: z.unknown().nullable(),
  retry_count: count,
  max_retries: count,
  last_error: z.string().nullable(),
  ...jobTimes,
  expires_at: nullableTimestamp,
  priority: z.int(),
  tags: z.unknown().nullable(),
  timeout_seconds: z.int(),
  parent_job_id: id.nullable(),
  completion_webhook: shownReceiver(z.string().nullable()),
  assigned_worker_id: z.string().nullable(),
  lease_id: z.string().nullable(),
  lease_expires_at: nullableTimestamp,
  idempotency_key: z.string().nullable(),
  updated_at: timestamp,
  workflow_id: id.nullable(),
  batch_id: id.nullable().meta({ description: 'The batch that it belongs to, or whose callback it is.' }),
  dependency_mode: z.enum(['all', 'any']).nullable(),
  dependencies_met: z.boolean().nullable(),
  progress: z
    .number()
    .nullable()
    .meta({ description: 'Last progress that the worker has reported, in percent; null unless the job is processing' }),
  progress_message: z.string().nullable(),
  progress_at: nullableTimestamp,
  cancel_requested_at: nullableTimestamp.meta({
    description: 'When the worker of a running job was asked to end it; null without a request',
  }),
  ...visibleJobSettingFields,
});

/** Longest reason of a cancellation. */
const maxReason = 500;
/** A day. */
const maxGraceSeconds = 86_400;

export const jobCancellationBody = z
  .strictObject({
    reason: text(1, maxReason).nullish().meta({ description: 'Shown in the history of the job and in the audit log' }),
    force: z.boolean().nullish().meta({
      description: 'true: the job is cancelled at once, and what its worker reports afterwards is refused',
    }),
    grace_seconds: whole(1, maxGraceSeconds).nullish().meta({
      description:
        'The lease ends that long after the request, even if the worker renews it. Absent: the worker may go on as long as its attempt may take',
    }),
  })
  .check(({ value, issues }) => {
    if (value.force !== true || typeof value.grace_seconds !== 'number') return;
    issues.push({ code: 'custom', input: value, path: ['grace_seconds'], message: 'does not go with force' });
  });
export type JobCancellationBody = z.infer<typeof jobCancellationBody>;

export const jobCancellation = z
  .object({ job_id: id, status: z.enum(['processing', 'cancelled']), cancel_requested_at: nullableTimestamp })
  .meta({ id: 'JobCancellation' });

export const createdJob = z.object({ id, created: z.boolean() });
export const bulkResult = z.object({
  succeeded: z.array(z.object({ index: count, job_id: id, created: z.boolean() })),
  failed: z.array(z.object({ index: count, error: z.string() })),
  total: count,
  success_count: count,
  failure_count: count,
});
export type BulkResult = z.infer<typeof bulkResult>;

export const jobStats = z.object({
  pending: count,
  scheduled: count,
  processing: count,
  completed: count,
  failed: count,
  deadletter: count,
  cancelled: count,
  total: count,
});
export type JobStats = z.infer<typeof jobStats>;

export const jobStatusEntry = z.object({
  id,
  status,
  queue_name: z.string(),
  retry_count: count,
  attempt: count,
  max_retries: count,
  created_at: timestamp,
  completed_at: nullableTimestamp,
});
export const jobStatusList = z.array(jobStatusEntry);

export const priorityChange = z.object({ job_id: id, old_priority: z.int(), new_priority: z.int() });

export const deadLetterRetryResult = z.object({
  retried_count: count,
  retried_jobs: z.array(id),
  skipped_jobs: z.array(id).meta({
    description: 'Workflow steps left as they are, because the organization has more workflows than its plan allows.',
  }),
});
export const deadLetterPurgeResult = z.object({ purged_count: count });

const edge = z.object({
  job_id: id,
  queue_name: z.string(),
  status,
  dependency_type: z.literal('success'),
  completed: z.boolean(),
});
export type DependencyEdge = z.infer<typeof edge>;

export const jobDependencies = z.object({
  job_id: id,
  status,
  dependency_mode: z.enum(['all', 'any']),
  dependencies_met: z.boolean(),
  dependencies: z.array(edge),
  dependents: z.array(edge),
  omitted: z.object({ dependencies: count, dependents: count }).meta({
    description: 'How many are left out because there are more than 1000; counted up to 10,000',
  }),
});
export type JobDependencies = z.infer<typeof jobDependencies>;
