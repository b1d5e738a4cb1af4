import { conflict } from '@spooled/domain';
import { deleteQueueSettings, type TenantTransaction } from '@spooled/data-access';
import { commandRetentionSeconds } from '../step/command-log.js';
import type { SingleStep } from '../step/single-step.js';
import { countLiveJobs } from './count-live-jobs.queries.js';
import {
  beginQueueDeletion,
  deleteQueue as deleteQueueSql,
  deleteQueueName,
  hideQueue,
  isLargeHistory,
  lockDeletion,
  lockJobsOfQueue,
  tryLockQueue,
} from './delete-queue.queries.js';

/** Jobs of an organization among which those of a queue are deleted at once; with more, the jobs are hidden and deleted in steps. */
const largestHistory = 10_000;

/**
 * Deletes the settings of a queue and, if requested, all its jobs: at once, or among many jobs in the background.
 * @throws SpooledError 409 when it has live jobs and `deleteJobs` is false
 */
export const deleteQueue: SingleStep<'queue.delete'> = async (tx, { body }, effects) => {
  const live = await tx.one(countLiveJobs, { queueName: body.queueName });
  if (live.live > 0 && !body.deleteJobs) {
    throw conflict(`Queue has ${live.live} pending or processing jobs; add ?delete_jobs=true to delete them`);
  }
  const { queueName, issuedAt: createdUntil } = body;
  const isLarge = async () => (await tx.one(isLargeHistory, { largest: largestHistory })).large;
  if (body.deleteJobs && createdUntil && (await isLarge())) {
    await hide(tx, queueName, createdUntil);
    const deletion = { queueName, createdUntil };
    await tx.run(beginQueueDeletion, { ...deletion, progress: JSON.stringify(hiddenQueue) });
    return { deletedJobs: 0 };
  }
  const jobs = { queueName, createdUntil };
  await tx.run(lockDeletion, { queueName });
  if (body.deleteJobs) await tx.run(lockJobsOfQueue, jobs);
  const row = await tx.one(deleteQueueSql, {
    ...jobs,
    deleteJobs: body.deleteJobs,
    rememberedSeconds: commandRetentionSeconds,
  });
  await deleteName(tx, { queueName, deleteCounters: body.deleteJobs, hiddenUntil: null });
  row.member_ids.forEach((id, i) => effects.workflows.member(tx.organizationId, row.workflow_ids[i]!, id));
  row.leased_job_ids.forEach((jobId, i) =>
    effects.leases.ended({ organizationId: tx.organizationId, jobId, leaseId: row.lease_ids[i]! }),
  );
  await tx.run(deleteQueueSettings, { queueName, jobs: row.deleted });
  return { deletedJobs: row.deleted };
};

/** Before all rows in the order of creation. */
export const firstPlace = { time: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** The progress of a deletion whose queue is hidden: what is deleted, in this order, and the record that was looked at last. */
export const hiddenQueue = { phase: 'live' as const, after: firstPlace };

/** Hides the jobs of a queue, which are deleted later, and deletes its settings. */
export async function hide(tx: TenantTransaction, queueName: string, createdUntil: string): Promise<void> {
  await tx.run(hideQueue, { queueName, createdUntil });
  await deleteName(tx, { queueName, deleteCounters: true, hiddenUntil: createdUntil });
  await tx.run(deleteQueueSettings, { queueName, jobs: null });
}

/** Not of a queue to which a job is added at this moment, which would be of no queue then. */
async function deleteName(
  tx: TenantTransaction,
  name: { queueName: string; deleteCounters: boolean; hiddenUntil: string | null },
): Promise<void> {
  const { locked } = await tx.one(tryLockQueue, { queueName: name.queueName });
  if (locked) await tx.run(deleteQueueName, name);
}
