import type { TenantTransaction } from '../database/transactions.js';
import findWorkerSql from './find-worker.sql';
import listWorkersSql from './list-workers.sql';

export type WorkerStatus = 'healthy' | 'degraded' | 'draining' | 'offline';

export interface WorkerSummaryRow {
  id: string;
  queue_name: string;
  hostname: string;
  status: WorkerStatus;
  current_jobs: number;
  max_concurrency: number;
  last_heartbeat: string;
}

export interface WorkerRow extends WorkerSummaryRow {
  organization_id: string;
  worker_type: string | null;
  metadata: Record<string, unknown>;
  version: string | null;
  registered_at: string;
  updated_at: string;
}

/** At most 100 workers, the one that was heard of last first. */
export function listWorkers(tx: TenantTransaction, queues: string[] | null): Promise<WorkerSummaryRow[]> {
  return tx.query(listWorkersSql, [tx.organizationId, queues]);
}

/** The worker, or undefined when the organization has none by this id in these queues. */
export async function findWorker(
  tx: TenantTransaction,
  id: string,
  queues: string[] | null,
): Promise<WorkerRow | undefined> {
  const [row] = await tx.query<WorkerRow>(findWorkerSql, [tx.organizationId, id, queues]);
  return row;
}
