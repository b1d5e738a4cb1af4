import { conflict } from '@spooled/domain';
import type { SingleStep } from '../step/single-step.js';
import { countLiveJobs } from './count-live-jobs.queries.js';
import { deleteQueue as deleteQueueSql } from './delete-queue.queries.js';

/**
 * Deletes a queue and, if requested, all its jobs. The gateway removes the queue's settings row afterwards.
 * @throws SpooledError 409 when it has live jobs and `deleteJobs` is false
 */
export const deleteQueue: SingleStep<'queue.delete'> = async (tx, { body }, effects) => {
  const [live] = await tx.run(countLiveJobs, { organizationId: tx.organizationId, queueName: body.queueName });
  if (live!.live > 0 && !body.deleteJobs) {
    throw conflict(`Queue has ${live!.live} pending or processing jobs; add ?delete_jobs=true to delete them`);
  }
  const [row] = await tx.run(deleteQueueSql, {
    organizationId: tx.organizationId,
    queueName: body.queueName,
    deleteJobs: body.deleteJobs,
    createdUntil: body.issuedAt ?? null,
  });
  for (const id of row!.workflow_ids) effects.workflows.workflow(tx.organizationId, id);
  row!.leased_job_ids.forEach((jobId, i) =>
    effects.leases.ended({ organizationId: tx.organizationId, jobId, leaseId: row!.lease_ids[i]! }),
  );
  return { deletedJobs: row!.deleted };
};
