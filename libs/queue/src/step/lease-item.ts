import type { LeaseProof } from '@spooled/contracts';

/**
 * A lease as a worker presents it, in the JSON form that the batch functions read (see renew_leases_v1). `renewedLease`:
 * its id when the lease store has extended it beyond its row.
 */
export const leaseItem = (
  proof: Omit<LeaseProof, 'workerId'> & { workerId: string | null },
  number: number,
  renewedLease?: string,
) => ({
  command: number,
  id: proof.jobId,
  worker: proof.workerId ?? undefined,
  lease: renewedLease ?? proof.leaseId ?? undefined,
  scope: proof.queues ?? undefined,
  renewed: renewedLease === undefined ? undefined : (true as const),
});
