import type { SystemTransaction } from '../database/transactions.js';
import markSilentWorkersSql from './mark-stale-workers.sql';

export interface StaleWorker {
  id: string;
  organizationId: string;
  status: 'degraded' | 'offline';
  markedAt: string;
}

/** Marks up to `limit` workers that have not been heard of for too long (SP-37 to SP-40); returns those that changed. */
export async function markStaleWorkers(
  tx: SystemTransaction,
  after: { degradedSeconds: number; offlineSeconds: number },
  limit: number,
): Promise<StaleWorker[]> {
  const rows = await tx.query<{
    id: string;
    organization_id: string;
    status: 'degraded' | 'offline';
    marked_at: string;
  }>(markSilentWorkersSql, [after.degradedSeconds, after.offlineSeconds, limit]);
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    status: row.status,
    markedAt: row.marked_at,
  }));
}
