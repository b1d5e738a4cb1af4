import { z } from 'zod';
import { actor } from './actor.js';
import { count, nullableTimestamp, timestamp } from './fields.js';

/** Counts end there, so that an explanation costs the same for a queue of any length. */
export const bounded = count.meta({ description: 'Exact up to 10,000; 10,001 means more' });
const share = z.number().min(0).max(1);

export const message = z
  .string()
  .meta({ description: 'One sentence in plain English; `code` is what programs should read' });

/** What one code says: `since` when it holds and `until` when it ends, as far as known. */
export const finding = <Code extends string, Details extends z.ZodRawShape>(code: Code, details: Details) =>
  z.object({
    code: z.literal(code),
    message,
    since: nullableTimestamp,
    until: nullableTimestamp,
    details: z.object(details),
  });

const limit = { resource: z.enum(['jobs_per_day', 'active_jobs']), limit: count, used: count };
const group = z.uuid().nullable().meta({ description: 'The group of dead letters with the most of the last hour' });
const failures = {
  failed_attempts_last_hour: count,
  completed_last_hour: count,
  failure_share: share,
  group_id: group,
};
const cause = {
  group_id: z.uuid(),
  job_type: z.string(),
  error: z.string().meta({ description: 'Without what differs between occurrences' }),
  dead_letters_last_hour: count,
  dead_letters_hour_before: count,
  muted_until: nullableTimestamp.meta({ description: 'Until then it is no problem' }),
};

/** Every condition that explanations, problems and alerts name. The only declaration of their codes and fields. */
export const conditions = {
  queue_paused: finding('queue_paused', {
    reason: z.string().nullable(),
    paused_by: actor.nullable(),
    expires_at: nullableTimestamp.meta({ description: 'When the scheduler resumes it' }),
  }),
  queue_deletion: finding('queue_deletion', { deleted_until: timestamp }),
  receiver_unavailable: finding('receiver_unavailable', { next_call_at: timestamp }),
  concurrency_limit: finding('concurrency_limit', { limit: count, running: bounded }),
  push_call_limit: finding('push_call_limit', { limit: count, running: count }),
  no_free_push_call: finding('no_free_push_call', {
    running: count.meta({ description: 'Calls of the organization, in the process that reported last' }),
    in_use: count.meta({ description: 'Calls of that process' }),
    limit: count.meta({ description: 'Calls that it may make at once' }),
    short_of: z.enum(['calls', 'payload_bytes']),
  }),
  rate_limit: finding('rate_limit', { limit_per_second: z.number(), next_token_at: timestamp }),
  throttled: finding('throttled', {
    throttle_id: z.uuid(),
    limit_per_second: z.number(),
    api_key_id: z.uuid().nullable(),
    api_key_name: z.string().nullable(),
    tag: z.object({ name: z.string(), value: z.string().nullable() }).nullable(),
  }),
  no_workers: finding('no_workers', {
    healthy: bounded,
    degraded: bounded,
    draining: bounded,
    offline: bounded,
    last_heartbeat: nullableTimestamp,
    finished_last_hour: count,
  }),
  no_claims: finding('no_claims', { healthy: bounded, oldest_waiting_seconds: count, finished_last_hour: count }),
  all_scheduled: finding('all_scheduled', { scheduled: bounded, retrying: bounded, next_at: nullableTimestamp }),
  dependencies: finding('dependencies', { blocked: bounded }),
  cause_new: finding('cause_new', cause),
  cause_growing: finding('cause_growing', cause),
  failing: finding('failing', failures),
  failures_risen: finding('failures_risen', {
    ...failures,
    compared_with: z.enum(['hour_before', 'day_before']),
    failure_share_before: share,
  }),
  falling_behind: finding('falling_behind', { created_last_hour: count, finished_last_hour: count, ready: bounded }),
  backlog_old: finding('backlog_old', { oldest_waiting_seconds: count, ready: bounded }),
  latency_risen: finding('latency_risen', {
    measure: z.enum(['wait', 'run']),
    p95_ms: count,
    p95_ms_day_before: count,
  }),
  slow_jobs: finding('slow_jobs', { average_run_ms: count, timeout_seconds: count }),
  limit_reached: finding('limit_reached', limit),
  limit_near: finding('limit_near', limit),
  schedule_late: finding('schedule_late', { name: z.string(), due_at: timestamp }),
  schedule_failing: finding('schedule_failing', { name: z.string(), error: z.string().nullable() }),
  webhook_failing: finding('webhook_failing', {
    name: z.string(),
    failed_deliveries: count,
    disables_at: nullableTimestamp,
    is_near_end: z.boolean().meta({ description: 'Half of the time until it is disabled has passed' }),
  }),
  webhook_disabled: finding('webhook_disabled', { name: z.string(), failed_deliveries: count }),
  redis_unavailable: finding('redis_unavailable', {}),
  scheduler_unavailable: finding('scheduler_unavailable', { last_seen: timestamp }),
};
export type ConditionCode = keyof typeof conditions;
export type ConditionOf<Code extends ConditionCode> = z.infer<(typeof conditions)[Code]>;

type Members = (typeof conditions)[ConditionCode];
export const condition = z.discriminatedUnion('code', Object.values(conditions) as [Members, ...Members[]]);
export type Condition = z.infer<typeof condition>;
export const conditionCode = z.enum(Object.keys(conditions) as [ConditionCode, ...ConditionCode[]]);
