import { jobStatuses } from '@spooled/domain';
import { z } from 'zod';
import { actor } from './actor.js';
import { listPage } from './conventions.js';
import { nullableTimestamp, timestamp } from './fields.js';
import { boundedCount, coveredSeconds, lastMinute } from './figures.js';
import { queueSummary } from './queues.js';

const count = z.int().min(0);
/** Counts end there, so that an explanation costs the same for a queue of any length. */
const bounded = count.meta({ description: 'Exact up to 10,000; 10,001 means more' });
const nullableCount = count.nullable();

const message = z.string().meta({ description: 'One sentence in plain English; `code` is what programs should read' });
const notChecked = z
  .array(z.string())
  .meta({ description: 'What could not be checked now, and what that means; empty if everything was' });

/** What one code says: `since` when it holds and `until` when it ends, as far as known. */
const finding = <Code extends string, Details extends z.ZodRawShape>(code: Code, details: Details) =>
  z.object({
    code: z.literal(code),
    message,
    since: nullableTimestamp,
    until: nullableTimestamp,
    details: z.object(details),
  });

/** As `finding`, with what the owner of the queue can do about it. */
const problem = <Code extends string, Details extends z.ZodRawShape>(code: Code, details: Details) =>
  finding(code, details).extend({ action: z.string().meta({ description: 'What can be done about it' }) });

/** States of a queue that hold back all its jobs; explanations of jobs and of queues share them. */
const queueConditions = {
  queue_paused: {
    reason: z.string().nullable(),
    paused_by: actor.nullable(),
    expires_at: nullableTimestamp.meta({ description: 'When the scheduler resumes it' }),
  },
  queue_deletion: { deleted_until: timestamp },
  receiver_unavailable: { next_call_at: timestamp },
  concurrency_limit: { limit: count, running: bounded },
  push_call_limit: { limit: count, running: count },
  no_free_push_call: {
    running: count.meta({ description: 'Calls of the organization, in the process that reported last' }),
    in_use: count.meta({ description: 'Calls of that process' }),
    limit: count.meta({ description: 'Calls that it may make at once' }),
    short_of: z.enum(['calls', 'payload_bytes']),
  },
  rate_limit: { limit_per_second: z.number(), next_token_at: timestamp },
  no_workers: {
    healthy: bounded,
    degraded: bounded,
    draining: bounded,
    offline: bounded,
    last_heartbeat: nullableTimestamp,
    finished_last_hour: count,
  },
  no_claims: { healthy: bounded, oldest_waiting_seconds: count, finished_last_hour: count },
};

export const jobReason = z.discriminatedUnion('code', [
  finding('queue_paused', queueConditions.queue_paused),
  finding('queue_deletion', queueConditions.queue_deletion),
  finding('receiver_unavailable', queueConditions.receiver_unavailable),
  finding('concurrency_limit', queueConditions.concurrency_limit),
  finding('push_call_limit', queueConditions.push_call_limit),
  finding('no_free_push_call', queueConditions.no_free_push_call),
  finding('rate_limit', queueConditions.rate_limit),
  finding('no_workers', queueConditions.no_workers),
  finding('no_claims', queueConditions.no_claims),
  finding('scheduled', { scheduled_at: timestamp }),
  finding('retry_backoff', {
    next_attempt_at: timestamp,
    next_attempt: count,
    max_attempts: count,
    last_error: z.string().nullable(),
  }),
  finding('dependencies', {
    mode: z.enum(['all', 'any']),
    total: count,
    unfinished: count,
    parents: z
      .array(
        z.object({
          job_id: z.uuid(),
          queue_name: z.string(),
          status: z.enum(jobStatuses),
          reason: z.object({ code: z.string(), message }).nullable().meta({
            description: 'What it waits for or does: the first reason of its own explanation. Of the first five',
          }),
        }),
      )
      .max(20)
      .meta({ description: 'The first 20 that have not completed and that the key may see' }),
    hidden: count.meta({ description: 'Parents in queues that the key has no access to' }),
  }),
  finding('behind', { jobs_ahead: bounded }),
  finding('ready', {}),
  finding('expires', { expires_at: timestamp }),
  finding('expired', { expires_at: timestamp }),
  finding('running', {
    worker_id: z.string().nullable(),
    attempt: count,
    max_attempts: count,
    lease_expires_at: nullableTimestamp,
    timeout_seconds: count,
  }),
  finding('finished', { outcome: z.enum(['completed', 'failed', 'cancelled']) }),
  finding('dead_letter', { attempts: count, last_error: z.string().nullable() }),
]);
export type JobReason = z.infer<typeof jobReason>;

export const jobExplanation = z.object({
  job_id: z.uuid(),
  queue_name: z.string(),
  status: z.enum(jobStatuses),
  since: nullableTimestamp.meta({ description: 'Since when the job has been in this state, as far as known' }),
  reasons: z.array(jobReason).max(20).meta({ description: 'All that apply now, the most important first' }),
  position: nullableCount.meta({
    description:
      'Claimable jobs that a claim takes before this one; 10,001 means more than 10,000. Null unless it is claimable',
  }),
  estimate: z
    .object({
      starts_at: timestamp,
      basis: z.string().meta({ description: 'What the estimate assumes, with its numbers' }),
    })
    .nullable()
    .meta({ description: 'Null if there are no figures to base one on' }),
  not_checked: notChecked,
  checked_at: timestamp,
});
export type JobExplanation = z.infer<typeof jobExplanation>;

export const queueProblem = z.discriminatedUnion('code', [
  problem('queue_paused', queueConditions.queue_paused),
  problem('queue_deletion', queueConditions.queue_deletion),
  problem('receiver_unavailable', queueConditions.receiver_unavailable),
  problem('concurrency_limit', queueConditions.concurrency_limit),
  problem('push_call_limit', queueConditions.push_call_limit),
  problem('no_free_push_call', queueConditions.no_free_push_call),
  problem('rate_limit', queueConditions.rate_limit),
  problem('no_workers', queueConditions.no_workers),
  problem('no_claims', queueConditions.no_claims),
  problem('all_scheduled', { scheduled: bounded, retrying: bounded, next_at: nullableTimestamp }),
  problem('dependencies', { blocked: bounded }),
  problem('failing', {
    failed_attempts_last_hour: count,
    completed_last_hour: count,
    failure_share: z.number().min(0).max(1),
  }),
  problem('falling_behind', { created_last_hour: count, finished_last_hour: count, ready: bounded }),
  problem('slow_jobs', { average_run_ms: count, timeout_seconds: count }),
  problem('plan_limit', { resource: z.enum(['jobs_per_day', 'active_jobs']), limit: count, used: count }),
]);
export type QueueProblem = z.infer<typeof queueProblem>;

export const queueExplanation = z.object({
  queue_name: z.string(),
  status: z.enum(['ok', 'limited', 'degraded', 'waiting', 'stopped']).meta({
    description:
      'That of the worst of its problems. ok: its jobs are processed, or it has none; limited: as fast as its limits allow; ' +
      'degraded: with a problem; waiting: its jobs wait for a time or for other jobs; stopped: nothing is processed until somebody acts',
  }),
  problems: z.array(queueProblem).max(20).meta({ description: 'The most important first' }),
  jobs: z.object({
    ready: boundedCount,
    blocked: boundedCount,
    scheduled: boundedCount,
    retrying: boundedCount,
    running: boundedCount,
    oldest_ready_seconds: nullableCount.meta({ description: 'Age of the oldest claimable job since its creation' }),
  }),
  rates: z.object({
    created_last_hour: count,
    completed_last_hour: count,
    failed_attempts_last_hour: count,
    covered_seconds: coveredSeconds,
    last_minute: lastMinute,
    average_run_ms: nullableCount.meta({ description: 'Of the jobs that completed in the last 24 hours' }),
    seconds_to_drain: nullableCount.meta({
      description:
        'Until the claimable jobs have started if no more arrive; null if there are no figures to base an estimate on',
    }),
  }),
  workers: z.object({
    healthy: bounded,
    degraded: bounded,
    draining: bounded,
    offline: bounded,
    last_heartbeat: nullableTimestamp,
    last_started_at: nullableTimestamp.meta({ description: 'When the newest of the running jobs began' }),
  }),
  not_checked: notChecked,
  checked_at: timestamp,
});
export type QueueExplanation = z.infer<typeof queueExplanation>;

/** Each queue of a page costs as much as an explanation of it. */
export const listExplanationsQuery = z.object(listPage({ limit: 100, maxLimit: 100 }));
export type ListExplanationsQuery = z.infer<typeof listExplanationsQuery>;

/** A queue of the list of queues, with its explanation. */
export const explainedQueue = queueSummary.extend(queueExplanation.shape);
export type ExplainedQueue = z.infer<typeof explainedQueue>;
