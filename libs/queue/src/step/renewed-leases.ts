import type { LeaseStore, PresentedLease } from '@spooled/contracts';

/**
 * Leases that the rows take for expired and that live on, because renewals were answered without writing the row: number → lease id,
 * as the shown leases are numbered. The row of such a lease is still its own: whoever runs the statement again says that the lease
 * lives, and shows its id, which is what fences it.
 */
export async function findRenewedLeases(
  store: LeaseStore | undefined,
  shown: { number: number; lease: PresentedLease }[],
): Promise<Map<number, string>> {
  if (!store || shown.length === 0) return new Map();
  const found = await store.alive(shown.map(({ lease }) => lease));
  return new Map(found.flatMap((living, i) => (living ? [[shown[i]!.number, living.leaseId] as const] : [])));
}

/** What a command shows of a lease. */
export const presentedLease = (
  organizationId: string,
  { jobId, leaseId, workerId }: { jobId: string; leaseId: string | null; workerId: string | null },
): PresentedLease => ({ organizationId, jobId, leaseId, workerId });
