import { oneOf } from '../database/stored-values.js';
import type { TenantTransaction } from '../database/transactions.js';
import { findWorker as findWorkerSql, type FindWorkerResult } from './find-worker.queries.js';
import { listWorkers as listWorkersSql, type ListWorkersResult } from './list-workers.queries.js';

const workerStatuses = ['healthy', 'degraded', 'draining', 'offline'] as const;
export type WorkerStatus = (typeof workerStatuses)[number];

export interface WorkerSummaryRow extends ListWorkersResult {
  status: WorkerStatus;
}

export interface WorkerRow extends FindWorkerResult {
  status: WorkerStatus;
}

export interface WorkerListFilter {
  /** null = all queues; an empty list matches nothing. */
  queues: string[] | null;
  limit: number;
  offset: number;
  /** Ordered by id instead of by heartbeat, for pages that are stable while heartbeats arrive. */
  byId: boolean;
  /** The last worker of the previous page; null = the first page. Only with `byId`. */
  afterId: string | null;
}

/** Workers, the latest heartbeat first. */
export async function listWorkers(tx: TenantTransaction, filter: WorkerListFilter): Promise<WorkerSummaryRow[]> {
  const rows = await tx.run(listWorkersSql, { organizationId: tx.organizationId, ...filter });
  return rows.map((row) => ({ ...row, status: oneOf(workerStatuses, row.status) }));
}

/** The worker, or undefined when it does not exist in the organization and these queues. */
export async function findWorker(
  tx: TenantTransaction,
  id: string,
  queues: string[] | null,
): Promise<WorkerRow | undefined> {
  const [row] = await tx.run(findWorkerSql, { organizationId: tx.organizationId, id, queues });
  return row && { ...row, status: oneOf(workerStatuses, row.status) };
}
