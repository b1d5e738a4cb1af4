import type { LeaseStore } from '@spooled/contracts';
import type { SystemTransaction } from '@spooled/data-access';
import prolongSql from './extend-leases.sql';

interface ExpiredLease {
  job_id: string;
  organization_id: string;
  lease_id: string;
}

/**
 * The leases that have ended for good (KF-14). Those that live beyond their rows get rows that say so, and are not looked at again
 * before they end. Without a store, or while it is away, the rows decide.
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
  const living = rows.flatMap(({ job_id: id }, i) => (found[i] ? [{ id, leftMs: found[i].leftMs }] : []));
  if (living.length > 0) {
    await tx.query(prolongSql, [living.map(({ id }) => id), living.map(({ leftMs }) => leftMs)]);
  }
  return rows.filter((_, i) => !found[i]);
}
