import type { LeaseProof } from '@spooled/contracts';

/** What a worker shows of its lease, as the batch functions read it (complete_jobs_v1 names the members). */
export const leaseItem = (proof: LeaseProof, number: number, living?: string): object => ({
  c: number,
  id: proof.jobId,
  w: proof.workerId,
  l: living ?? proof.leaseId ?? undefined,
  s: proof.queues ?? undefined,
  a: living === undefined ? undefined : true,
});
