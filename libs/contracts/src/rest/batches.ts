import { jobStatuses } from '@spooled/domain';
import { z } from 'zod';
import { batchCallbacks } from '../command-values.js';
import { longListPage, searchedPage, statusFilter } from './conventions.js';
import { count, newQueueName, nullableTimestamp, requiredJson, smallJson, text, timestamp } from './fields.js';
import { newJobFieldsWithout, refusedOfCallbacks, refusing } from './new-job.js';

export const batchStatuses = ['open', 'closed', 'completed', 'cancelled'] as const;
export const batchJobStatuses = ['unfinished', 'succeeded', 'failed', 'cancelled'] as const;

const callback = (when: string) =>
  refusing(
    refusedOfCallbacks,
    z.strictObject({ queue_name: newQueueName, payload: requiredJson, ...newJobFieldsWithout(refusedOfCallbacks) }),
  )
    .nullish()
    .meta({ description: `A job that is created ${when}. Its batch_id is the batch.` });

/** Strict: a callback with a misspelt name would never be created, which is noticed when the batch has ended. */
export const createBatchBody = z.strictObject({
  name: text(1, 255).nullish(),
  metadata: smallJson,
  on_success: callback('once all jobs of the closed batch have completed, also after a replay'),
  on_complete: callback('when the batch is closed and all of its jobs have ended, however'),
  on_death: callback('as soon as the first job of the batch is a dead letter'),
});
export type CreateBatchBody = z.infer<typeof createBatchBody>;

export const listBatchesQuery = z.object({ status: statusFilter(batchStatuses, 'is ignored'), ...searchedPage() });
export type ListBatchesQuery = z.infer<typeof listBatchesQuery>;

export const listBatchJobsQuery = z.object({
  status: statusFilter(batchJobStatuses, 'matches nothing'),
  ...longListPage({ maxLimit: 1_000 }),
});
export type ListBatchJobsQuery = z.infer<typeof listBatchJobsQuery>;

const id = z.uuid();

export const batch = z
  .object({
    id,
    name: z.string().nullable(),
    status: z.enum(batchStatuses).meta({
      description: 'closed: nothing can be added, and not all jobs have ended · completed: all jobs had ended once',
    }),
    total_jobs: count,
    pending_jobs: count.meta({ description: 'Jobs that have not ended and that no worker holds.' }),
    running_jobs: count,
    succeeded_jobs: count,
    failed_jobs: count.meta({ description: 'Dead letters.' }),
    cancelled_jobs: count.meta({ description: 'Also jobs that were deleted before they ended.' }),
    queue_names: z.array(z.string()),
    callbacks: z.array(z.enum(batchCallbacks)).meta({ description: 'The callbacks that the batch was created with.' }),
    callback_job_ids: z
      .object({ on_success: id.nullable(), on_complete: id.nullable(), on_death: id.nullable() })
      .meta({ description: 'The callback jobs that were created. null: not yet, or `callbacks` does not have it.' }),
    metadata: z.unknown().nullable(),
    created_at: timestamp,
    closed_at: nullableTimestamp,
    completed_at: nullableTimestamp.meta({ description: 'When the last job of the closed batch first ended.' }),
  })
  .meta({ id: 'Batch' });
export type Batch = z.infer<typeof batch>;

export const batchJob = z
  .object({
    id,
    queue_name: z.string(),
    job_type: z.string(),
    status: z.enum(jobStatuses),
    attempt: count,
    result: z.unknown().nullable(),
    error: z.string().nullable(),
    created_at: timestamp,
    started_at: nullableTimestamp,
    completed_at: nullableTimestamp,
    documents_omitted: z.literal(true).optional().meta({
      description:
        'Present if the result is null only because those of the jobs before it have 8 MiB; `GET /jobs/{id}` returns it.',
    }),
  })
  .meta({ id: 'BatchJob' });
export type BatchJob = z.infer<typeof batchJob>;
