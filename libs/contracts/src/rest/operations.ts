import { z } from 'zod';
import {
  operationFilter,
  operationKinds,
  operationOutcomes,
  operationSettings,
  shownOperationStates,
} from '../operations.js';
import { actor } from './actor.js';
import { exactFilter, hasAny, listPage, searchedPage } from './conventions.js';
import { deadLetterFilter } from './dead-letter-filter.js';
import { jobFilterBody, jobStats } from './jobs.js';
import { webhookEvents } from './outgoing-webhooks.js';
import { count, instant, nullableTimestamp, priority, queueName, smallJsonObject, timestamp, whole } from './fields.js';

const all = z.boolean().nullish().meta({ description: 'Must be true without any filter, and may not be with one' });

/** An act without a filter takes everything, so it must say so. */
function requireFilterOrAll({ value, issues }: z.core.ParsePayload<Record<string, unknown>>): void {
  const isFiltered = hasAny(value, Object.keys(deadLetterFilter));
  if (isFiltered === (value.all !== true)) return;
  const message = isFiltered ? 'does not go with a filter' : 'must be true to take all dead letters, without a filter';
  issues.push({ code: 'custom', input: value.all ?? null, path: ['all'], message });
}

/*
 * Bodies of acts on many jobs are strict objects: an unknown member may be a misspelt filter or `dry_run`, and the act would take more
 * than its caller meant.
 */
const perSecond = whole(1, 1_000).nullish().meta({ description: 'Jobs per second; absent = as fast as possible' });
const dryRun = z
  .boolean()
  .nullish()
  .meta({ description: 'Only count the jobs and show some of them; nothing is changed' });

const holdSeconds = whole(0, 3_600).nullish().meta({
  description: 'Seconds before the operation changes anything; cancelling it until then undoes it; default 0',
});

const maxStages = 10;

export const replayBody = z
  .strictObject({
    ...deadLetterFilter,
    all,
    payload_patch: smallJsonObject.nullish().meta({
      description: 'JSON Merge Patch (RFC 7396) for the payload of each job',
    }),
    per_second: perSecond,
    stages: z.array(whole(1, 1_000_000)).max(maxStages, `must hold at most ${maxStages} stages`).nullish().meta({
      description: 'Jobs in each stage but the last; a stage begins when all jobs of the one before have ended',
    }),
    max_failure_share: z.number().min(0, 'must be at least 0').max(1, 'must be at most 1').nullish().meta({
      description:
        'Stop when more than this share of the replayed jobs have failed an attempt, of those that have completed or failed one. Without `stages` it implies 1, 10, 100 … jobs',
    }),
    min_ended: whole(1, 10_000).nullish().meta({
      description: 'Jobs that have completed or failed an attempt before `max_failure_share` applies; default 10',
    }),
    hold_seconds: holdSeconds,
    dry_run: dryRun,
  })
  .check(requireFilterOrAll);
export type ReplayBody = z.infer<typeof replayBody>;

export const purgeBody = z
  .strictObject({
    ...deadLetterFilter,
    all,
    per_second: perSecond,
    hold_seconds: holdSeconds,
    dry_run: dryRun,
    confirm: z
      .boolean()
      .meta({ description: 'Must be true, except for a dry run: purged jobs cannot be brought back' }),
  })
  .check(requireFilterOrAll);
export type PurgeBody = z.infer<typeof purgeBody>;

/** Acts on jobs that no worker holds: those of a queue, or those of a list of ids. */
const liveJobsBody = {
  queue_name: queueName.nullish().meta({ description: 'Required without `job_ids`' }),
  job_ids: deadLetterFilter.job_ids.meta({ description: 'Only these jobs, of all queues without `queue_name`' }),
  status: operationFilter.shape.status.meta({ description: 'Absent: both' }),
  ...jobFilterBody,
  per_second: perSecond,
  hold_seconds: holdSeconds,
  dry_run: dryRun,
};

/** Without either, an act would take the jobs of all queues. */
function requireQueueOrIds({ value, issues }: z.core.ParsePayload<Record<string, unknown>>): void {
  if (hasAny(value, ['queue_name', 'job_ids'])) return;
  issues.push({ code: 'custom', input: null, path: ['queue_name'], message: 'is required without job_ids' });
}

export const cancellationBody = z.strictObject(liveJobsBody).check(requireQueueOrIds);
export type CancellationBody = z.infer<typeof cancellationBody>;

export const activationBody = z.strictObject(liveJobsBody).check(requireQueueOrIds);
export type ActivationBody = z.infer<typeof activationBody>;

export const priorityChangeBody = z.strictObject({ ...liveJobsBody, priority }).check(requireQueueOrIds);
export type PriorityChangeBody = z.infer<typeof priorityChangeBody>;

export const moveBody = z
  .strictObject({
    ...liveJobsBody,
    to_queue: queueName.meta({
      description: 'Jobs that its contract or its receiver does not allow stay where they are',
    }),
  })
  .check(requireQueueOrIds);
export type MoveBody = z.infer<typeof moveBody>;

export const payloadPatchBody = z
  .strictObject({
    ...liveJobsBody,
    payload_patch: smallJsonObject.meta({ description: 'JSON Merge Patch (RFC 7396) for the payload of each job' }),
  })
  .check(requireQueueOrIds);
export type PayloadPatchBody = z.infer<typeof payloadPatchBody>;

export const jobDeletionBody = z
  .strictObject({
    ...liveJobsBody,
    confirm: z
      .boolean()
      .meta({ description: 'Must be true, except for a dry run: deleted jobs cannot be brought back' }),
  })
  .check(requireQueueOrIds);
export type JobDeletionBody = z.infer<typeof jobDeletionBody>;

export const queueDeletionBody = z.strictObject({ hold_seconds: holdSeconds, dry_run: dryRun });
export type QueueDeletionBody = z.infer<typeof queueDeletionBody>;

/** Failed deliveries of a webhook. */
export const resendBody = z.strictObject({
  since: instant.meta({ description: 'Deliveries that were created then or later (`created_at`)' }),
  until: instant.nullish().meta({ description: 'Deliveries that were created before then; absent = until now' }),
  event: z.enum(webhookEvents).nullish().meta({ description: 'Only deliveries of this event' }),
  per_second: whole(1, 1_000).nullish().meta({ description: 'Deliveries per second; absent = as fast as possible' }),
  hold_seconds: holdSeconds,
  dry_run: z
    .boolean()
    .nullish()
    .meta({ description: 'Only count the deliveries and show some of them; nothing is changed' }),
});
export type ResendBody = z.infer<typeof resendBody>;

/** The route has no options. */
export const cancelOperationBody = z.strictObject({});

export const listOperationsQuery = z.object({
  kind: exactFilter(z.enum(operationKinds)),
  state: exactFilter(z.enum(shownOperationStates)),
  ...searchedPage(),
});
export type ListOperationsQuery = z.infer<typeof listOperationsQuery>;

export const listOperationJobsQuery = z.object({
  outcome: exactFilter(z.enum(['changed', ...operationOutcomes])).meta({
    description:
      'changed: all but refused, so those that an undo does not bring back · succeeded: also of acts on waiting jobs · waiting, failed and ended_otherwise: of replayed jobs',
  }),
  ...listPage({ maxLimit: 1_000 }),
});
export type ListOperationJobsQuery = z.infer<typeof listOperationJobsQuery>;

const id = z.uuid();

export const operation = z.object({
  id,
  kind: z.enum(operationKinds),
  state: z.enum(shownOperationStates),
  queues: z.array(z.string()).meta({ description: 'The queues that it may touch; empty = all' }),
  filter: operationFilter,
  options: operationSettings,
  payload_patch: z.unknown().nullable(),
  total: count.nullable().meta({ description: 'Matching jobs at creation; null for more than 100,000' }),
  processed: count,
  refused: count.meta({ description: 'Of the processed: those that could not be replayed, moved or patched' }),
  waiting: count.meta({ description: 'Of the replayed: those that have not ended' }),
  succeeded: count,
  failed: count,
  ended_otherwise: count.meta({ description: 'Of the replayed: those that were cancelled or deleted' }),
  reason: z.string().nullable().meta({ description: 'Why it was stopped, or what it waits for' }),
  actor: actor.nullable(),
  created_at: timestamp,
  starts_at: nullableTimestamp.meta({ description: 'When a held operation begins; null: it was not held' }),
  started_at: nullableTimestamp.meta({ description: 'Of its first step; null: it has changed nothing' }),
  ended_at: nullableTimestamp,
});

export const operationDetails = operation.extend({
  lists_jobs: z.boolean().meta({
    description:
      'Whether `GET /operations/{id}/jobs` lists its jobs: those of the other kinds are gone, or they have none',
  }),
  refused_jobs: z
    .array(z.object({ job_id: id, error: z.string() }))
    .meta({ description: 'The first 100 jobs that could not be replayed, moved or patched' }),
  failed_jobs: z.array(z.object({ job_id: id, error: z.string().nullable() })).meta({
    description: 'The first 100 jobs that failed again, with their last error; null for a job that no longer exists',
  }),
});

export const operationJob = z.object({
  job_id: id,
  outcome: z.enum(operationOutcomes),
  error: z.string().nullable().meta({
    description: 'Refused: why; failed: its last error, null for a job that no longer exists; otherwise null',
  }),
});

export const preview = z.object({
  dry_run: z.literal(true),
  as_of: timestamp.meta({
    description:
      'When, by the clock of the server. As `dead_before`, an act on dead letters takes none that died later',
  }),
  count: count.meta({ description: 'At most 100,000' }),
  has_more: z.boolean().meta({ description: 'Whether more jobs match than were counted' }),
  sample: z.array(
    z.object({
      job_id: id,
      queue_name: z.string(),
      job_type: z.string(),
      error: z.string().nullable(),
      problem: z.string().nullable().meta({ description: 'Why the job could not be replayed, moved or patched' }),
      payload: z.unknown().meta({ description: 'With `payload_patch`: the payload after it' }),
    }),
  ),
});

export const resendPreview = z.object({
  dry_run: z.literal(true),
  count: count.meta({ description: 'At most 100,000' }),
  has_more: z.boolean().meta({ description: 'Whether more deliveries match than were counted' }),
  sample: z
    .array(
      z.object({
        delivery_id: id,
        event: z.string(),
        status_code: z.int().nullable(),
        error: z.string().nullable(),
        attempts: count,
        created_at: timestamp,
      }),
    )
    .meta({ description: 'The oldest' }),
});
export type ResendPreview = z.infer<typeof resendPreview>;

export const queueDeletionPreview = z.object({
  dry_run: z.literal(true),
  queue_name: z.string(),
  count: count.meta({ description: 'Jobs of the queue, also those that have ended' }),
  counts: jobStats.meta({ description: 'The jobs by status' }),
});
export type QueueDeletionPreview = z.infer<typeof queueDeletionPreview>;
