import type { BenchStack } from '../stack/bench-stack.js';
import explainSql from './explain-claim.sql';

/** Number of dead rows in job_queue, from PostgreSQL's statistics, and its size. */
export async function deadRowsOf({ superuser }: BenchStack): Promise<{ dead: number; megabytes: number }> {
  const { rows } = await superuser.query<{ dead: string; bytes: string }>(
    `SELECT n_dead_tup AS dead, pg_total_relation_size(relid) AS bytes FROM pg_stat_user_tables WHERE relname = 'job_queue'`,
  );
  return { dead: Number(rows[0]?.dead), megabytes: Number(rows[0]?.bytes) / 1_048_576 };
}

/** EXPLAIN (ANALYZE, BUFFERS) of the claim's query, line by line. */
export async function explainClaim({ superuser, organizationId }: BenchStack, queue: string): Promise<string[]> {
  const client = await superuser.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off');
    const statement = `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${explainSql}`;
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      statement.replace('$1', client.escapeLiteral(organizationId)).replace('$2', client.escapeLiteral(queue)),
    );
    return rows.map((row) => row['QUERY PLAN']);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
