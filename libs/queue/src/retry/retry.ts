import type { JobQuota } from '@spooled/contracts';
import { conflict, type JobStatus } from '@spooled/domain';
import type { TenantTransaction } from '@spooled/data-access';
import { statusOf } from '../cancel/cancel.js';
import type { EffectsBuilder } from '../engine/effects.js';
import type { SingleStep } from '../engine/single-step.js';
import { hasCaps } from '../enqueue/enqueue.js';
import { rethrowQuota } from '../enqueue/quota-error.js';

/** Puts one failed or dead-lettered job back to pending, as new (SP-30). */
export const retryJob: SingleStep<'job.retry'> = async (tx, { body }, effects) => {
  const status = await statusOf(tx, body.jobId, body.queues);
  const revived = await reviveJobs(tx, [body.jobId], body.quota, effects);
  if (revived.length === 0) throw conflict(`Only failed and dead-lettered jobs can be retried: this one is ${status}`);
  return { jobId: body.jobId };
};

/**
 * Puts whichever of the jobs has failed back to pending; the ids of those, all or none if the plan has no room.
 * @throws SpooledError 429 QUOTA_EXCEEDED
 */
export async function reviveJobs(
  tx: TenantTransaction,
  ids: string[],
  quota: JobQuota,
  effects: EffectsBuilder,
): Promise<string[]> {
  const [row] = await tx
    .query<{ answer: { now: string; revived: { id: string; queue: string; old: JobStatus }[] } }>(
      'SELECT revive_jobs_v1($1, $2, $3) AS answer',
      [tx.organizationId, ids, hasCaps(quota) ? JSON.stringify(quota) : null],
    )
    .catch((error: unknown) => rethrowQuota(error, quota));
  const { now, revived } = row!.answer;
  for (const job of revived) {
    effects.statusChange(tx.organizationId, job, { from: job.old, to: 'pending', at: now });
    effects.wake(tx.organizationId, job.queue);
  }
  return revived.map(({ id }) => id);
}
