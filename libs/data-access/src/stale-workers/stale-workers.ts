import { oneOf } from '../database/stored-values.js';
import type { SystemTransaction } from '../database/transactions.js';
import { forceIndexPlans } from '../database/force-index-plans.queries.js';
import { markStaleWorkers as markStaleWorkersSql, type MarkStaleWorkersResult } from './mark-stale-workers.queries.js';

const staleStatuses = ['degraded', 'offline'] as const;

export interface StaleWorker extends MarkStaleWorkersResult {
  status: (typeof staleStatuses)[number];
}

/** Marks up to `limit` workers without recent heartbeats as degraded or offline (SP-37 to SP-40); returns those that changed. */
export async function markStaleWorkers(
  tx: SystemTransaction,
  after: { degradedSeconds: number; offlineSeconds: number },
  limit: number,
): Promise<StaleWorker[]> {
  const [, rows] = await Promise.all([tx.run(forceIndexPlans), tx.run(markStaleWorkersSql, { ...after, limit })]);
  return rows.map((row) => ({ ...row, status: oneOf(staleStatuses, row.status) }));
}
