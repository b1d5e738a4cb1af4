import { isStatementTimeout } from '../database/database-errors.js';
import type { Database } from '../database/database.js';
import type { SystemTransaction } from '../database/transactions.js';
import {
  addPartition,
  missingWeeks,
  type PartitionedTable,
  partitionedTables,
  partitionLimits,
  type Week,
} from './partitions.repository.js';

const weeksAhead = 5;

/** The partition of a week. */
interface WeekOfTable {
  table: PartitionedTable;
  week: Week;
}

/** What happens to partitions; for log lines. */
export interface PartitionReporter {
  /** `moved`: the rows that the default partition had of it. */
  onAdded(added: WeekOfTable & { moved: number }): void;
  /** Another transaction holds a lock for too long: an application may for as long as it likes. The next run tries again. */
  onLocked(left: WeekOfTable): void;
}

/**
 * Creates the missing partitions of the next weeks. Without them rows go to the default partition, from which they are moved
 * later. Each week in a transaction of its own.
 * @returns the number of partitions created
 * @throws SpooledError 503 when PostgreSQL is unavailable
 */
export async function addMissingPartitions(
  db: Database,
  stopping: AbortSignal,
  { onAdded, onLocked }: PartitionReporter,
): Promise<number> {
  let added = 0;
  for (const table of partitionedTables) {
    const find = (tx: SystemTransaction) => missingWeeks(tx, table, weeksAhead);
    for (const week of await db.asSystem('find missing partitions', find, partitionLimits)) {
      if (stopping.aborted) return added;
      try {
        const moved = await db.asSystem('add a partition', (tx) => addPartition(tx, table, week), partitionLimits);
        onAdded({ table, week, moved });
        added++;
      } catch (error) {
        if (!isStatementTimeout(error)) throw error;
        onLocked({ table, week });
      }
    }
  }
  return added;
}
