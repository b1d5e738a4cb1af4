import type { TenantTransaction } from '../database/transactions.js';
import { countWorkers as countWorkersSql, type CountWorkersResult } from './count-workers.queries.js';
import {
  listBusiestQueues as listBusiestQueuesSql,
  type ListBusiestQueuesResult,
} from './list-busiest-queues.queries.js';
import { measureActivity as measureActivitySql, type MeasureActivityResult } from './measure-activity.queries.js';

export type {
  CountWorkersResult as WorkerCountsRow,
  ListBusiestQueuesResult as BusyQueueRow,
  MeasureActivityResult as ActivityRow,
};

type Queues = string[] | null;

/** Counts of the last hour and the last 24; averages in whole milliseconds over the jobs completed in the last 24 hours. */
export async function measureActivity(tx: TenantTransaction, queues: Queues): Promise<MeasureActivityResult> {
  const [row] = await tx.run(measureActivitySql, { organizationId: tx.organizationId, queues });
  return row!;
}

/** At most 20 queues. */
export function listBusiestQueues(tx: TenantTransaction, queues: Queues): Promise<ListBusiestQueuesResult[]> {
  return tx.run(listBusiestQueuesSql, { organizationId: tx.organizationId, queues });
}

export async function countWorkers(tx: TenantTransaction, queues: Queues): Promise<CountWorkersResult> {
  const [row] = await tx.run(countWorkersSql, { organizationId: tx.organizationId, queues });
  return row!;
}
