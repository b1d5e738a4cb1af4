import pg from 'pg';
import type { SharedStack } from './stack.js';

/** Runs one statement as superuser: for more data than requests could create in time, and for what only other settings would store. */
export const runSql = async (stack: SharedStack, statement: string, values: unknown[]): Promise<void> =>
  void (await readSql(stack, statement, values));

const pools = new Map<string, pg.Pool>();

/** The rows of one statement, which the superuser runs, on a connection that stays open for the next one. */
export async function readSql<T extends pg.QueryResultRow>(
  { databaseUrls }: SharedStack,
  statement: string,
  values: unknown[],
): Promise<T[]> {
  const { superuserUrl } = databaseUrls;
  const pool = pools.get(superuserUrl) ?? openPool(superuserUrl);
  return (await pool.query<T>(statement, values)).rows;
}

function openPool(superuserUrl: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: superuserUrl, max: 1, allowExitOnIdle: true });
  // The database of a stack of its own is dropped.
  pool.on('error', () => undefined);
  pools.set(superuserUrl, pool);
  return pool;
}

/** Ends the seconds in which the operations of an organization can be undone, so that they begin now. */
export const endHold = (stack: SharedStack, organizationId: string): Promise<void> =>
  runSql(
    stack,
    `UPDATE operations SET starts_at = now(), next_step_at = now() WHERE organization_id = $1 AND starts_at > now()`,
    [organizationId],
  );

export const endPauses = (stack: SharedStack, organizationId: string): Promise<void> =>
  runSql(stack, 'UPDATE queue_config SET pause_expires_at = now() WHERE organization_id = $1 AND NOT enabled', [
    organizationId,
  ]);

/** Completed jobs of a queue, ten milliseconds apart. */
export const seedCompletedJobs = (
  stack: SharedStack,
  organizationId: string,
  queueName: string,
  count: number,
): Promise<void> =>
  runSql(
    stack,
    `INSERT INTO jobs (
       id, organization_id, queue_name, payload, job_type, priority, max_retries, timeout_seconds, created_at, updated_at, started_at,
       completed_at, outcome)
     SELECT uuidv7(-age), $1, $2, '{"job_type": "seeded"}', 'seeded', 0, 3, 300, now() - age, now() - age, now() - age, now() - age,
       'completed'
     FROM (SELECT number * interval '10 ms' AS age FROM generate_series(1, $3) number)`,
    [organizationId, queueName, count],
  );
