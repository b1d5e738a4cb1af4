import { z } from 'zod';
import { flagFilter, listPage } from './conventions.js';
import { actor } from './actor.js';
import { coveredSeconds } from './figures.js';
import {
  instant,
  maxRetries,
  nullableTimestamp,
  smallJsonObject,
  text,
  timeoutSeconds,
  timestamp,
  whole,
} from './fields.js';

export { queueName } from './fields.js';

/** From one job in about 17 minutes up. */
const jobsPerSecond = z.number().min(0.001, 'must be at least 0.001').max(100_000, 'must be at most 100000');

export const queueConfigBody = z.object({
  max_retries: maxRetries.nullish(),
  default_timeout: timeoutSeconds.nullish(),
  rate_limit: jobsPerSecond.nullish().meta({
    description: 'Jobs claimed per second, also fractions such as 0.5; null removes the limit.',
  }),
  enabled: z.boolean().nullish(),
  settings: smallJsonObject.nullish(),
});
export type QueueConfigBody = z.infer<typeof queueConfigBody>;

/** Longer ones are forgotten pauses; a queue may also be paused until it is resumed. */
export const longestPauseSeconds = 30 * 86_400;

export const pauseQueueBody = z
  .object({
    reason: text(0, 500).nullish(),
    expires_at: instant.nullish().meta({
      description:
        'When the scheduler resumes the queue, up to 30 days ahead; null or absent: only a request resumes it.',
    }),
    duration_seconds: whole(1, longestPauseSeconds)
      .nullish()
      .meta({ description: 'In place of `expires_at`: seconds until the scheduler resumes it.' }),
  })
  .refine((body) => body.expires_at == null || body.duration_seconds == null, {
    path: ['duration_seconds'],
    error: 'must not be given together with expires_at',
  });
export type PauseQueueBody = z.infer<typeof pauseQueueBody>;

export const listQueuesQuery = z.object(listPage({ limit: 100 }));
export type ListQueuesQuery = z.infer<typeof listQueuesQuery>;

export const deleteQueueQuery = z.object({ delete_jobs: flagFilter() });
export type DeleteQueueQuery = z.infer<typeof deleteQueueQuery>;

export const queueSummary = z.object({
  queue_name: z.string(),
  max_retries: z.int(),
  default_timeout: z.int(),
  rate_limit: z.number().nullable(),
  enabled: z.boolean(),
});
export type QueueSummary = z.infer<typeof queueSummary>;

export const queueConfig = queueSummary.extend({
  /** A UUID, or `implicit:<name>` for a queue that exists only because jobs name it. */
  id: z.string(),
  organization_id: z.uuid(),
  settings: z.record(z.string(), z.unknown()),
  created_at: timestamp,
  updated_at: timestamp,
});

export const queueDetail = queueConfig.extend({
  pause: z
    .object({
      paused_at: nullableTimestamp,
      reason: z.string().nullable(),
      expires_at: nullableTimestamp.meta({ description: 'When the scheduler resumes it; null: only a request does.' }),
      paused_by: actor.nullable().meta({ description: 'Null: unknown.' }),
    })
    .nullable()
    .meta({ description: 'Null while the queue is not paused.' }),
  receiver: z
    .object({
      state: z.enum(['closed', 'open', 'unknown']).meta({
        description: '`open`: it does not respond, and calls are paused; `unknown`: Redis is unavailable.',
      }),
      since: nullableTimestamp.meta({ description: 'When the circuit opened.' }),
      next_trial_at: nullableTimestamp,
    })
    .nullable()
    .meta({ description: 'Circuit breaker of the callback URL; null for a queue without one.' }),
});
export type QueueDetail = z.infer<typeof queueDetail>;

export const queueStats = z.object({
  queue_name: z.string(),
  pending_jobs: z.int(),
  processing_jobs: z.int(),
  completed_jobs_24h: z.int(),
  failed_jobs_24h: z.int(),
  covered_seconds_24h: coveredSeconds,
  avg_processing_time_ms: z.int().nullable(),
  max_job_age_seconds: z.int().nullable(),
  active_workers: z.int(),
});
export type QueueStats = z.infer<typeof queueStats>;

export const pausedQueue = z.object({
  queue_name: z.string(),
  paused: z.literal(true),
  paused_at: timestamp,
  reason: z.string().nullable(),
  expires_at: nullableTimestamp,
});
export const resumedQueue = z.object({
  queue_name: z.string(),
  resumed: z.literal(true),
  paused_duration_secs: z.int(),
});
