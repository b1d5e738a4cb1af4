import type pg from 'pg';
import findPartitionsSql from './find-partitions.sql';
import { describeError, MigrationError } from './migration-error.js';
import type { Migration } from './migration-files.js';

/** First line of a migration whose indexes are built on each partition before it runs. */
const directive = '-- partitions first';
const createIndex = /^CREATE INDEX IF NOT EXISTS (\w+) ON (\w+) ([^;]+);$/gm;
/** Longest identifier that PostgreSQL keeps whole. */
const longestName = 63;

/**
 * Builds the indexes of a migration that begins with `-- partitions first` on every partition, while the table is written. The statement
 * of the migration itself, `CREATE INDEX IF NOT EXISTS name ON table …`, then finds them and has nothing to build: CONCURRENTLY does not
 * exist for a partitioned table, and without it all writes would wait for 9 s per million rows.
 *
 * @param client not in a transaction
 * @throws MigrationError when an index could not be built; what was built remains, and the next run continues
 */
export async function buildPartitionIndexes(client: pg.Client, { name, sql }: Migration): Promise<void> {
  if (!sql.startsWith(directive)) return;
  for (const [, index, table, definition] of sql.matchAll(createIndex)) {
    try {
      await buildOnPartitions(client, index!, table!, definition!);
    } catch (error) {
      throw new MigrationError(name, `failed: ${describeError(error, sql)}`, error);
    }
  }
}

async function buildOnPartitions(client: pg.Client, index: string, table: string, definition: string): Promise<void> {
  const { rows } = await client.query<{ partition: string; index: string; invalid: boolean }>(findPartitionsSql, [
    table,
    index,
    longestName,
  ]);
  for (const one of rows) {
    // Left by a run that was interrupted.
    if (one.invalid) await client.query(`DROP INDEX CONCURRENTLY ${one.index}`);
    await client.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${one.index} ON ${one.partition} ${definition}`);
  }
}
