import type { Database } from '@spooled/data-access';
import type pg from 'pg';

/**
 * Makes sessions report what they have read and written so far. A session otherwise does so up to a minute later: what it did before a
 * measurement, such as inserting rows, would count as a part of it. Name every session of the test, also the one that reads the counters.
 *
 * @param sessions each runs a statement, in a transaction of its own
 */
export async function flushStatistics(...sessions: ((sql: string) => Promise<unknown>)[]): Promise<void> {
  for (const sql of ['SELECT pg_stat_force_next_flush()', 'SELECT 1']) {
    for (const run of sessions) await run(sql);
  }
}

/** What has been read of the tables with such names so far. */
export interface Reads {
  /** Rows that were found by an index. */
  fetched: number;
  /** Rows of scans of whole tables. */
  sequential: number;
  /** Entries of indexes. */
  entries: number;
}

/** @param tables pattern of LIKE. @param withSystem whether the test has a session of the system role */
export async function countReads(
  db: Database,
  superuser: Pick<pg.ClientBase, 'query'>,
  { tables = '%', withSystem = false } = {},
): Promise<Reads> {
  await flushStatistics(
    (sql) => db.inBatch((tx) => tx.query(sql)),
    ...(withSystem ? [(sql: string) => db.asSystem('flush', (tx) => tx.query(sql))] : []),
    (sql) => superuser.query(sql),
  );
  const { rows } = await superuser.query<Reads>(
    `SELECT sum(coalesce(idx_tup_fetch, 0))::int AS fetched, sum(seq_tup_read)::int AS sequential,
       (SELECT coalesce(sum(idx_tup_read), 0) FROM pg_stat_user_indexes WHERE relname LIKE $1)::int AS entries
     FROM pg_stat_user_tables WHERE relname LIKE $1`,
    [tables],
  );
  return rows[0]!;
}
