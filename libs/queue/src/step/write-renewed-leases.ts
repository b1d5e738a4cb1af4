import type { LeaseStore, RenewedLease } from '@spooled/contracts';
import type { Transaction } from '@spooled/data-access';
import { extendLeases } from './extend-leases.queries.js';

interface LeaseRow {
  job_id: string;
  organization_id: string;
  lease_id: string;
}

/**
 * Writes into the rows how long leases last that the store has extended beyond them. The rows are locked by this transaction.
 * @returns what the store holds of each; nothing without a store, or while it is unavailable
 */
export async function writeRenewedLeases(
  tx: Transaction,
  rows: LeaseRow[],
  store: LeaseStore | undefined,
): Promise<(RenewedLease | null)[]> {
  if (!store || rows.length === 0) return [];
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
  return found;
}
