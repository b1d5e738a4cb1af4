import type { LeaseStore } from '@spooled/contracts';
import type { SystemTransaction } from '@spooled/data-access';
import { extendLeases } from './extend-leases.queries.js';

interface ExpiredLease {
  job_id: string;
  organization_id: string;
  lease_id: string;
}

/**
 * The leases that have really expired (KF-14). Rows of leases that the store has extended are updated, so that they are
 * not checked again before they end. Without a store, or while it is unavailable, the rows alone are used.
 */
export async function excludeRenewedLeases<Lease extends ExpiredLease>(
  tx: SystemTransaction,
  rows: Lease[],
  store: LeaseStore | undefined,
): Promise<Lease[]> {
  if (!store || rows.length === 0) return rows;
  const found = await store.alive(
    rows.map(({ organization_id: organizationId, job_id: jobId, lease_id: leaseId }) => ({
      organizationId,
      jobId,
      leaseId,
      workerId: null,
    })),
  );
  const renewed = rows.flatMap(({ job_id: id }, i) => (found[i] ? [{ id, leftMs: found[i].leftMs }] : []));
  if (renewed.length > 0) {
    await tx.run(extendLeases, { ids: renewed.map(({ id }) => id), leftMs: renewed.map(({ leftMs }) => leftMs) });
  }
  return rows.filter((_, i) => !found[i]);
}
