import { conflict, isJobStatus, notFound } from '@spooled/domain';
import { recordAudit, type TenantTransaction } from '@spooled/data-access';
import { z } from 'zod';
import { cancelledJob, type CancelledJob } from '../step/answers.js';
import { cancelJobs as cancelJobsSql, findStatusOfJob } from './cancel-jobs.queries.js';
import type { QueueScope } from '@spooled/contracts';
import type { EffectsBuilder } from '../step/effects.js';
import type { SingleStep } from '../step/single-step.js';
import { recordCancellations } from '../step/record-deliveries.js';

const answerSchema = z.object({ now: z.string(), cancelled: z.array(cancelledJob) });

/** Cancels a job that no worker holds, and the jobs that can no longer run without it (SP-50). */
export const cancelJob: SingleStep<'job.cancel'> = async (tx, { body }, effects) => {
  const status = await statusOf(tx, body.jobId, body.queues);
  const cancelled = await cancelJobs(tx, [body.jobId], null, effects);
  const own = cancelled.find(({ id }) => id === body.jobId);
  if (!own) throw conflict(`Job cannot be cancelled: it is ${status === 'pending' ? 'processing' : status}`);
  await recordActOnJobs(tx, 'job.cancelled', body.jobId, cancelled.length);
  return { oldStatus: own.old };
};

/** In the audit log, if an act on a job has changed others with it; one that changed the job alone is in its history. */
export async function recordActOnJobs(
  tx: TenantTransaction,
  action: 'job.cancelled' | 'job.retried',
  jobId: string,
  jobs: number,
): Promise<void> {
  if (jobs > 1) await recordAudit(tx, { action, targetKind: 'job', targetId: jobId, after: { jobs } });
}

/** Cancels those of the jobs that no worker holds, in the organization of the caller's transaction. */
export async function cancelJobs(
  tx: TenantTransaction,
  ids: string[],
  reason: string | null,
  effects: EffectsBuilder,
): Promise<CancelledJob[]> {
  const row = await tx.one(cancelJobsSql, { ids, reason });
  const { now, cancelled } = answerSchema.parse(row.answer);
  const { organizationId } = tx;
  for (const job of cancelled) effects.statusChange(organizationId, job, { from: job.old, to: 'cancelled', at: now });
  const cancellations = cancelled.map(({ id: jobId, queue: queueName, old: oldStatus }) => {
    return { organizationId, jobId, queueName, oldStatus, reason, cascades: !ids.includes(jobId) };
  });
  await recordCancellations(tx, cancellations, effects);
  return cancelled;
}

/**
 * The status of a job that the key may see.
 * @throws SpooledError 404 for unknown and foreign jobs and for queues outside the key's scope
 */
export async function statusOf(tx: TenantTransaction, jobId: string, queues: QueueScope): Promise<string> {
  const job = await tx.first(findStatusOfJob, { id: jobId });
  if (!job || !isJobStatus(job.status) || (queues !== null && !queues.includes(job.queue_name))) throw notFound('Job');
  return job.status;
}
