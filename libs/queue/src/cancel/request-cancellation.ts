import type { LeaseStore } from '@spooled/contracts';
import { recordAudit, type TenantTransaction } from '@spooled/data-access';
import { conflict } from '@spooled/domain';
import type { EffectsBuilder } from '../step/effects.js';
import type { SingleStep } from '../step/single-step.js';
import { writeRenewedLeases } from '../step/write-renewed-leases.js';
import { cancelAttempts } from './cancel-attempts.js';
import {
  requestCancellation as requestCancellationSql,
  type RequestCancellationResult,
} from './cancel-jobs.queries.js';
import { cancelJobs, recordActOnJobs, statusOf } from './cancel.js';

/** How running jobs are cancelled. */
export interface CancellationOptions {
  /** Of the caller, for the history, or null. */
  reason: string | null;
  /** Cancels at once: the lease ends with the request. */
  force: boolean;
  /** Seconds after which the lease ends, whatever the worker does; null: with the attempt. */
  graceSeconds: number | null;
}

type LiveJob = RequestCancellationResult;
type RunningJob = LiveJob & { lease_id: string; worker_id: string; requested_at: string };

/**
 * Cancels a job that waits, and asks the worker of a running one to end it. A job with a request is never retried: it is cancelled by
 * whatever ends its attempt, unless the worker completes it first (decision 177).
 * @throws SpooledError 404, 409 for a job that has ended
 */
export const requestCancellation =
  (leases?: LeaseStore): SingleStep<'job.requestCancellation'> =>
  async (tx, { body }, effects) => {
    const { jobId, queues, ...options } = body;
    const status = await statusOf(tx, jobId, queues);
    const { waiting, running } = await cancelOrAsk(tx, [jobId], options, { effects, leases });
    const [asked] = running;
    if (asked && !asked.is_new && !options.force) return { status: 'processing', requestedAt: asked.requested_at };
    if (asked) await recordRequest(tx, asked, options);
    else if (!waiting.includes(jobId)) throw conflict(`Job cannot be cancelled: it is ${status}`);
    else await recordActOnJobs(tx, 'job.cancelled', jobId, waiting.length);
    return asked && !options.force
      ? { status: 'processing', requestedAt: asked.requested_at }
      : { status: 'cancelled', requestedAt: null };
  };

/** Cancels those of the jobs that wait, and asks the workers of the others, or cancels them as well if forced. */
async function cancelOrAsk(
  tx: TenantTransaction,
  ids: string[],
  options: CancellationOptions,
  { effects, leases }: { effects: EffectsBuilder; leases: LeaseStore | undefined },
): Promise<{ waiting: string[]; running: RunningJob[] }> {
  const { organizationId } = tx;
  const { reason, graceSeconds: grace, force } = options;
  const live = await tx.run(requestCancellationSql, { ids, reason, grace: force ? null : grace });
  const running = live.filter(isRunning);
  await writeRenewedLeases(tx, running.filter(({ renewed }) => renewed).map(leaseRow(organizationId)), leases);
  for (const job of running) {
    const { job_id: jobId, queue_name: queueName, lease_id: leaseId, worker_id: workerId, requested_at: at } = job;
    // Renewals are answered by the row from here on, which says that the job was asked to end.
    if (job.renewed) effects.leases.ended({ organizationId, jobId, leaseId });
    if (job.is_new || force)
      effects.cancelRequested({ organizationId, jobId, queueName, leaseId, workerId, reason, at });
  }
  const waiting = live.filter((job) => !isRunning(job)).map(({ job_id }) => job_id);
  const cancelled = waiting.length > 0 ? await cancelJobs(tx, waiting, reason, effects) : [];
  const forced = force ? running : [];
  const attempts = forced.map(({ job_id: jobId }) => {
    return { organizationId, jobId, cause: 'forced', ...(reason !== null && { error: reason }) } as const;
  });
  await cancelAttempts(tx, attempts, effects);
  return { waiting: cancelled.map(({ id }) => id), running };
}

const isRunning = (job: LiveJob): job is RunningJob => job.lease_id !== null;

const leaseRow =
  (organization_id: string) =>
  ({ job_id, lease_id }: RunningJob) => ({ organization_id, job_id, lease_id });

/** Always, because the act reaches a worker. */
async function recordRequest(tx: TenantTransaction, { job_id, worker_id }: RunningJob, options: CancellationOptions) {
  const { reason, force, graceSeconds } = options;
  const after = { worker_id, reason, force, grace_seconds: graceSeconds };
  await recordAudit(tx, { action: 'job.cancellation_requested', targetKind: 'job', targetId: job_id, after });
}
