import type { LeaseProof } from '@spooled/contracts';

/** What a worker shows of its lease, as complete_part_v2, lock_failed_jobs_v2 and renew_leases_v2 read it. */
export const leaseItem = (proof: LeaseProof, number: number, renewedLease?: string): object => ({
  command: number,
  id: proof.jobId,
  worker: proof.workerId,
  lease: renewedLease ?? proof.leaseId ?? undefined,
  scope: proof.queues ?? undefined,
  renewed: renewedLease === undefined ? undefined : true,
});
