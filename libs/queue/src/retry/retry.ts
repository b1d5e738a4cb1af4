import type { JobQuota } from '@spooled/contracts';
import { conflict, jobStatuses } from '@spooled/domain';
import { rethrowQuotaError, type TenantTransaction } from '@spooled/data-access';
import { z } from 'zod';
import { recordActOnJobs, statusOf } from '../cancel/cancel.js';
import type { EffectsBuilder } from '../step/effects.js';
import { recordDeliveries, type WebhookEvent } from '../step/record-deliveries.js';
import type { SingleStep } from '../step/single-step.js';
import { hasCaps } from '../enqueue/enqueue.js';
import { requeueJobs as requeueJobsSql } from './requeue-jobs.queries.js';

/** Returns a failed or dead-lettered job to pending with a new retry budget (SP-30). */
export const retryJob: SingleStep<'job.retry'> = async (tx, { body }, effects) => {
  const status = await statusOf(tx, body.jobId, body.queues);
  const requeued = await requeueJobs(tx, [body.jobId], { quota: body.quota, reason: 'manual' }, effects);
  if (requeued.length === 0) throw conflict(`Only failed and dead-lettered jobs can be retried: this one is ${status}`);
  await recordActOnJobs(tx, 'job.retried', body.jobId, requeued.length);
  return { jobId: body.jobId };
};

export interface Requeue {
  quota: JobQuota;
  /** For the webhook event `job.retried`. */
  reason: 'manual' | 'dlq';
  /** Outcomes of jobs that are requeued beside failed ones. */
  also?: ('cancelled' | 'completed')[];
}

/** Result of `requeue_jobs_v1`. */
const answerSchema = z.object({
  now: z.string(),
  requeued: z.array(
    z.object({
      id: z.string(),
      queue: z.string(),
      old: z.enum(jobStatuses),
      /** May be claimed at once; else it waits for a parent. */
      ready: z.boolean(),
    }),
  ),
});

/**
 * Requeues the failed jobs among these, those with the given other outcomes, and their cancelled children. All or none, depending on the
 * quota.
 * @returns the ids of all requeued jobs
 * @throws SpooledError 429 QUOTA_EXCEEDED
 */
export async function requeueJobs(
  tx: TenantTransaction,
  ids: string[],
  { quota, reason, also = [] }: Requeue,
  effects: EffectsBuilder,
): Promise<string[]> {
  const [row] = await tx
    .run(requeueJobsSql, {
      ids,
      outcomes: ['failed', 'deadletter', ...also],
      quota: hasCaps(quota) ? JSON.stringify(quota) : null,
    })
    .catch((error: unknown) => rethrowQuotaError(error, quota));
  const { now, requeued } = answerSchema.parse(row!.answer);
  for (const job of requeued) {
    effects.statusChange(tx.organizationId, job, { from: job.old, to: 'pending', at: now });
    if (job.ready) effects.wake(tx.organizationId, job.queue);
  }
  const events = requeued.map((job) => retriedEvent(tx.organizationId, job, reason));
  await recordDeliveries(tx, events, effects);
  return requeued.map(({ id }) => id);
}

const retriedEvent = (
  organizationId: string,
  { id, queue }: { id: string; queue: string },
  reason: Requeue['reason'],
): WebhookEvent => ({
  organizationId,
  event: 'job.retried',
  jobId: id,
  data: { job_id: id, queue_name: queue, status: 'pending', retry_count: 0, reason },
});
