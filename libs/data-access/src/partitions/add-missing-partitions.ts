import type { Database } from '../database/database.js';
import type { SystemTransaction } from '../database/transactions.js';
import {
  addPartition,
  missingWeeks,
  type PartitionedTable,
  partitionedTables,
  type Week,
} from './partitions.repository.js';

const weeksAhead = 5;

/** A partition that was created, and the rows that the default partition had of it. */
export interface AddedPartition {
  table: PartitionedTable;
  week: Week;
  moved: number;
}

/**
 * Creates the missing partitions of the next weeks. Without them rows go to the default partition, from which they are moved
 * later. Each week in a transaction of its own: if a lock is not available, the next run continues there.
 * @returns the number of partitions created
 * @throws SpooledError 503 when PostgreSQL is unavailable
 */
export async function addMissingPartitions(
  db: Database,
  stopping: AbortSignal,
  onAdded: (added: AddedPartition) => void,
): Promise<number> {
  let added = 0;
  for (const table of partitionedTables) {
    const find = (tx: SystemTransaction) => missingWeeks(tx, table, weeksAhead);
    for (const week of await db.asSystem('find missing partitions', find, { timeoutMs: 'none' })) {
      if (stopping.aborted) return added;
      const moved = await db.asSystem('add a partition', (tx) => addPartition(tx, table, week), { timeoutMs: 'none' });
      onAdded({ table, week, moved });
      added++;
    }
  }
  return added;
}
