import { jobStatuses } from '@spooled/domain';
import { z } from 'zod';
import { actor } from './actor.js';
import { pageQuery } from './conventions.js';
import { count, jobTimes, nullableTimestamp, timestamp } from './fields.js';

export const jobHistoryQuery = z.object({
  order_dir: z.enum(['asc', 'desc']).default('asc').meta({ description: '`asc`: oldest first' }),
  ...pageQuery({ limit: 100, maxLimit: 500 }),
});
export type JobHistoryQuery = z.infer<typeof jobHistoryQuery>;

export const jobTimelineQuery = z.object({});

const id = z.uuid();

export const jobEvent = z
  .object({
    id,
    job_id: id,
    event_type: z.string().meta({
      description:
        'created, activated, dependencies_added, dependencies_met, claimed, completed, failed, lease_expired, released, deadlettered, ' +
        'retried, cancel_requested, cancelled, waiting, resumed, payload_patched, priority_changed or moved; more may follow',
    }),
    worker_id: z.string().nullable(),
    details: z
      .looseObject({ actor: actor.nullable().meta({ description: 'Null if unknown.' }) })
      .nullable()
      .meta({ description: 'The actor, and what else the event says, such as `error` and `will_retry` of a failure.' }),
    created_at: timestamp,
  })
  .meta({ id: 'JobEvent' });
export type JobEvent = z.infer<typeof jobEvent>;
export const jobHistory = z.array(jobEvent);

/** Milliseconds; so far, if it has not ended. */
const period = { from: timestamp, to: nullableTimestamp, duration_ms: count.nullable() };
const cause = { actor: actor.nullable(), reason: z.string().nullable() };
const relative = z.object({ job_id: id, queue_name: z.string(), status: z.enum(jobStatuses) });

/** Why a job waits that no worker holds. */
export const waitReasons = ['scheduled', 'dependencies', 'retry_backoff', 'queue_paused', 'queued', 'step'] as const;
export const attemptOutcomes = [
  'running',
  'completed',
  'failed',
  'lease_expired',
  'released',
  'cancelled',
  'waiting',
] as const;

export const jobTimeline = z
  .object({
    job: z.object({
      id,
      queue_name: z.string(),
      job_type: z.string(),
      status: z.enum(jobStatuses),
      priority: z.int(),
      retry_count: count,
      max_retries: count,
      last_error: z.string().nullable(),
      created_by: actor.nullable(),
      ...jobTimes,
      expires_at: nullableTimestamp,
      parent_job_id: id.nullable(),
      workflow_id: id.nullable(),
      batch_id: id.nullable(),
    }),
    traceparent: z.string().nullable().meta({ description: 'W3C trace context of the request that created the job.' }),
    generated_at: timestamp,
    states: z.array(z.object({ state: z.enum(jobStatuses), ...period, event_type: z.string(), ...cause })).meta({
      description: 'The statuses of the job one after the other; `duration_ms` of the last is null if it is final.',
    }),
    attempts: z.array(
      z.object({
        attempt: count,
        worker_id: z.string(),
        lease_id: z.string().nullable(),
        started_at: timestamp,
        ended_at: nullableTimestamp,
        duration_ms: count,
        outcome: z.enum(attemptOutcomes),
        error: z.string().nullable(),
        next_attempt_at: nullableTimestamp,
      }),
    ),
    waits: z.array(z.object({ reason: z.enum(waitReasons), ...period })),
    changes: z
      .array(z.object({ event_type: z.string(), at: timestamp, ...cause, details: z.record(z.string(), z.unknown()) }))
      .meta({ description: 'Events that did not change the status.' }),
    deliveries: z.array(
      z.object({
        id,
        kind: z.enum(['webhook', 'completion_webhook']),
        webhook_id: id.nullable(),
        event: z.string(),
        url: z
          .string()
          .nullable()
          .meta({ description: 'Of a completion webhook; only its host for roles that may not change it' }),
        status: z.enum(['pending', 'success', 'failed']),
        attempts: count,
        status_code: z.int().nullable(),
        error: z.string().nullable(),
        created_at: timestamp,
        delivered_at: nullableTimestamp,
      }),
    ),
    parents: z.array(relative),
    children: z.array(relative),
    omitted: z.object({ events: count, deliveries: count, parents: count, children: count }).meta({
      description: 'How many are left out because there are too many; the newest events and deliveries are shown.',
    }),
  })
  .meta({ id: 'JobTimeline' });
export type JobTimeline = z.infer<typeof jobTimeline>;
