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
