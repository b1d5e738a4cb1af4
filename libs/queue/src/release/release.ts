import type { SingleStep } from '../engine/single-step.js';

interface Row {
  job_id: string;
  queue_name: string;
  released_at: string;
}

/** Gives back jobs whose worker is gone or never heard of them; they are claimable at once and keep their attempts (BX-02). */
export const releaseLeases: SingleStep<'job.release'> = async (tx, { body }, effects) => {
  const leases = body.leases.map(({ jobId, leaseId }) => ({ id: jobId, l: leaseId }));
  const rows = await tx.query<Row>('SELECT * FROM release_leases_v1($1, $2)', [
    tx.organizationId,
    JSON.stringify(leases),
  ]);
  for (const { job_id: id, queue_name: queue, released_at: at } of rows) {
    effects.statusChange(tx.organizationId, { id, queue }, { from: 'processing', to: 'pending', at });
    effects.wake(tx.organizationId, queue);
  }
  return { releasedJobs: rows.length };
};
