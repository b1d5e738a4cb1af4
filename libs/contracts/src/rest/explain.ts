import { jobStatuses } from '@spooled/domain';
import { z } from 'zod';
import { actor } from './actor.js';
import { bounded, conditions, finding, message } from './conditions.js';
import { listPage } from './conventions.js';
import { count, nullableTimestamp, timestamp } from './fields.js';
import { boundedCount, coveredSeconds, lastMinute } from './figures.js';
import { queueSummary } from './queues.js';

const nullableCount = count.nullable();

const notChecked = z
  .array(z.string())
  .meta({ description: 'What could not be checked now, and what that means; empty if everything was' });

/** A condition with what the owner of the queue can do about it. */
const problem = <Members extends z.ZodRawShape>(condition: z.ZodObject<Members>) =>
  condition.extend({ action: z.string().meta({ description: 'What can be done about it' }) });

export const jobReason = z.discriminatedUnion('code', [
  conditions.queue_paused,
  conditions.queue_deletion,
  conditions.receiver_unavailable,
  conditions.concurrency_limit,
  conditions.push_call_limit,
  conditions.no_free_push_call,
  conditions.rate_limit,
  conditions.no_workers,
  conditions.no_claims,
  finding('scheduled', { scheduled_at: timestamp }),
  finding('step', { step: z.string(), waits_for: z.enum(['sleep', 'signal']), deadline: timestamp }),
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
  finding('cancel_requested', {
    worker_id: z.string().nullable(),
    requested_at: timestamp,
    requested_by: actor.nullable(),
    reason: z.string().nullable(),
  }),
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
  problem(conditions.queue_paused),
  problem(conditions.queue_deletion),
  problem(conditions.receiver_unavailable),
  problem(conditions.concurrency_limit),
  problem(conditions.push_call_limit),
  problem(conditions.no_free_push_call),
  problem(conditions.rate_limit),
  problem(conditions.no_workers),
  problem(conditions.no_claims),
  problem(conditions.all_scheduled),
  problem(conditions.dependencies),
  problem(conditions.cause_new),
  problem(conditions.cause_growing),
  problem(conditions.failing),
  problem(conditions.failures_risen),
  problem(conditions.falling_behind),
  problem(conditions.backlog_old),
  problem(conditions.latency_risen),
  problem(conditions.slow_jobs),
  problem(conditions.throttled),
  problem(conditions.limit_reached),
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
    healthy: boundedCount,
    degraded: boundedCount,
    draining: boundedCount,
    offline: boundedCount,
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
