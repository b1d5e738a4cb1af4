import { conflict } from '@spooled/domain';
import type { SingleStep } from '../step/single-step.js';
import countSql from './count-live-jobs.sql';
import deleteSql from './delete-queue.sql';

interface Deleted {
  deleted: number;
  workflow_ids: string[];
  /** Leases of processing jobs that the lease store may hold. */
  leases: { jobId: string; leaseId: string }[];
}

/**
 * Deletes a queue and, if requested, all its jobs. The gateway removes the queue's settings row afterwards.
 * @throws SpooledError 409 when it has live jobs and `deleteJobs` is false
 */
export const deleteQueue: SingleStep<'queue.delete'> = async (tx, { body }, effects) => {
  const [live] = await tx.query<{ live: number }>(countSql, [tx.organizationId, body.queueName]);
  if (live!.live > 0 && !body.deleteJobs) {
    throw conflict(`Queue has ${live!.live} pending or processing jobs; add ?delete_jobs=true to delete them`);
  }
  const [row] = await tx.query<Deleted>(deleteSql, [
    tx.organizationId,
    body.queueName,
    body.deleteJobs,
    body.issuedAt ?? null,
  ]);
  for (const id of row!.workflow_ids) effects.workflows.workflow(tx.organizationId, id);
  for (const lease of row!.leases) effects.leases.ended({ organizationId: tx.organizationId, ...lease });
  return { deletedJobs: row!.deleted };
};
