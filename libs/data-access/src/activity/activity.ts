import type { TenantTransaction } from '../database/transactions.js';
import countWorkersSql from './count-workers.sql';
import listBusiestQueuesSql from './list-busiest-queues.sql';
import measureActivitySql from './measure-activity.sql';

type Queues = string[] | null;

/** Counts of the last hour and the last 24; averages in milliseconds over the jobs completed in the last 24 hours. */
export interface ActivityRow {
  created_1h: number;
  completed_1h: number;
  failed_1h: number;
  completed_24h: number;
  failed_24h: number;
  avg_wait_ms: number | null;
  avg_run_ms: number | null;
}

export interface BusyQueueRow {
  name: string;
  pending: number;
  processing: number;
  paused: boolean;
}

export interface WorkerCountsRow {
  total: number;
  healthy: number;
  unhealthy: number;
}

export async function measureActivity(tx: TenantTransaction, queues: Queues): Promise<ActivityRow> {
  const [row] = await tx.query<ActivityRow>(measureActivitySql, [tx.organizationId, queues]);
  return row!;
}

/** At most 20 queues. */
export function listBusiestQueues(tx: TenantTransaction, queues: Queues): Promise<BusyQueueRow[]> {
  return tx.query(listBusiestQueuesSql, [tx.organizationId, queues]);
}

export async function countWorkers(tx: TenantTransaction, queues: Queues): Promise<WorkerCountsRow> {
  const [row] = await tx.query<WorkerCountsRow>(countWorkersSql, [tx.organizationId, queues]);
  return row!;
}
