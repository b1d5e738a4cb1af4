import type { TenantTransaction } from '../database/transactions.js';
import { countWorkers as countWorkersSql, type CountWorkersResult } from './count-workers.queries.js';
import {
  listBusiestQueues as listBusiestQueuesSql,
  type ListBusiestQueuesResult,
} from './list-busiest-queues.queries.js';

type Queues = string[] | null;

/** At most 20 queues. */
export function listBusiestQueues(tx: TenantTransaction, queues: Queues): Promise<ListBusiestQueuesResult[]> {
  return tx.run(listBusiestQueuesSql, { queues });
}

export const countWorkers = (tx: TenantTransaction, queues: Queues): Promise<CountWorkersResult> =>
  tx.one(countWorkersSql, { queues });
