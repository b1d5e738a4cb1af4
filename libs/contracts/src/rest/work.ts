import { z } from 'zod';
import { errorBody } from './conventions.js';
import { anyId, atMost, count, optionalJson, queueName, text, timestamp, whole } from './fields.js';
import { maxBulkJobs } from './jobs.js';

const id = z.uuid();

/** Shorter than the common idle timeout of proxies and load balancers. */
export const maxWaitSeconds = 30;

export const claimBody = z.object({
  queue_name: queueName,
  worker_id: text(1, 255),
  limit: whole(1, 100).nullish(),
  lease_duration_secs: whole(5, 3600).nullish(),
  wait_seconds: whole(0, maxWaitSeconds).nullish().meta({
    description:
      'Seconds to wait for work if there is none. If too many claims are waiting already, the response comes at once with Retry-After',
  }),
});
export type ClaimBody = z.infer<typeof claimBody>;

/** `lease_id` stays optional: older SDK workers never send it. */
export const proof = { worker_id: text(1, 255), lease_id: text(0, 255).nullish() };

export const completeBody = z.object({ ...proof, result: optionalJson });
export type CompleteBody = z.infer<typeof completeBody>;

/** Jobs of one worker; each is completed or rejected as with `completeBody`. */
export const completeManyBody = z.strictObject({
  worker_id: proof.worker_id,
  jobs: z
    .array(z.strictObject({ job_id: anyId, lease_id: proof.lease_id, result: optionalJson }))
    .min(1, 'must hold at least one job')
    .max(maxBulkJobs, `must hold at most ${maxBulkJobs} jobs`),
});
export type CompleteManyBody = z.infer<typeof completeManyBody>;

/** The error may contain any character: a failure must not be lost because of its text. */
export const failBody = z.object({
  ...proof,
  error: atMost(2048).min(1, 'must not be empty'),
  retry: z.boolean().nullish().meta({
    description: 'false: the failure is permanent, and the job becomes a dead letter at once. Default true',
  }),
});
export type FailBody = z.infer<typeof failBody>;

export const renewBody = z.object({ ...proof, lease_duration_secs: whole(5, 3600).nullish() });
export type RenewBody = z.infer<typeof renewBody>;

export const releaseBody = z.strictObject(proof);
export type ReleaseBody = z.infer<typeof releaseBody>;

export const progressBody = z.object({
  progress: z.number().min(0, 'must be at least 0').max(100, 'must be at most 100'),
  message: text(0, 2048).nullish(),
  worker_id: text(1, 255).nullish(),
  lease_id: text(0, 255).nullish(),
});
export type ProgressBody = z.infer<typeof progressBody>;

export const claimedJobs = z.object({
  jobs: z.array(
    z.object({
      id,
      queue_name: z.string(),
      payload: z.unknown(),
      priority: z.int(),
      retry_count: count,
      max_retries: count,
      timeout_seconds: z.int(),
      lease_expires_at: timestamp,
      lease_id: z.string(),
      created_at: timestamp,
      idempotency_key: z.string().nullable(),
      traceparent: z.string().nullable().describe('W3C trace context of the request that created the job'),
    }),
  ),
});

export const success = z.object({ success: z.literal(true) });
/** In the order of the request; counted as bulk creation counts. */
export const completeManyResult = z.object({
  results: z.array(
    z.discriminatedUnion('success', [
      success.extend({ job_id: z.string() }),
      z.object({ success: z.literal(false), job_id: z.string(), error: errorBody }),
    ]),
  ),
  total: count,
  success_count: count,
  failure_count: count,
});
export type CompleteManyResult = z.infer<typeof completeManyResult>;
export const failResult = success.extend({
  will_retry: z.boolean(),
  next_retry_delay_secs: count,
  cancelled: z
    .literal(true)
    .optional()
    .meta({ description: 'The job was asked to end, so its failure has cancelled it' }),
});
export const renewResult = success.extend({
  lease_expires_at: timestamp,
  cancel_requested: z.literal(true).optional().meta({
    description: 'The job was asked to end: report it as failed, which cancels it. Absent without a request',
  }),
});
