import type { JobQuota } from '@spooled/contracts';
import { conflict, type JobStatus } from '@spooled/domain';
import { rethrowQuota, type TenantTransaction } from '@spooled/data-access';
import { statusOf } from '../cancel/cancel.js';
import type { EffectsBuilder } from '../step/effects.js';
import type { SingleStep } from '../step/single-step.js';
import { hasCaps } from '../enqueue/enqueue.js';

/** Returns a failed or dead-lettered job to pending with a new retry budget (SP-30). */
export const retryJob: SingleStep<'job.retry'> = async (tx, { body }, effects) => {
  const status = await statusOf(tx, body.jobId, body.queues);
  const revived = await reviveJobs(tx, [body.jobId], { quota: body.quota }, effects);
  if (revived.length === 0) throw conflict(`Only failed and dead-lettered jobs can be retried: this one is ${status}`);
  return { jobId: body.jobId };
};

export interface Revival {
  quota: JobQuota;
  /** Whether cancelled jobs are revived too; otherwise only failed ones. */
  withCancelled?: boolean;
}

interface Revived {
  id: string;
  queue: string;
  old: JobStatus;
  /** Claimable at once; otherwise it waits for a parent. */
  ready: boolean;
}

/**
 * Returns the failed ones of these jobs to pending, with the children that were cancelled because of them. All or none,
 * depending on the quota.
 * @returns the ids of all revived jobs
 * @throws SpooledError 429 QUOTA_EXCEEDED
 */
export async function reviveJobs(
  tx: TenantTransaction,
  ids: string[],
  { quota, withCancelled = false }: Revival,
  effects: EffectsBuilder,
): Promise<string[]> {
  const [row] = await tx
    .query<{ answer: { now: string; revived: Revived[] } }>('SELECT revive_jobs_v1($1, $2, $3, $4) AS answer', [
      tx.organizationId,
      ids,
      ['failed', 'deadletter', ...(withCancelled ? ['cancelled'] : [])],
      hasCaps(quota) ? JSON.stringify(quota) : null,
    ])
    .catch((error: unknown) => rethrowQuota(error, quota));
  const { now, revived } = row!.answer;
  for (const job of revived) {
    effects.statusChange(tx.organizationId, job, { from: job.old, to: 'pending', at: now });
    if (job.ready) effects.wake(tx.organizationId, job.queue);
  }
  return revived.map(({ id }) => id);
}
