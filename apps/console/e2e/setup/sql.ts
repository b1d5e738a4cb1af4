import pg from 'pg';
import type { Stack } from './stack.js';

/** Runs one statement as superuser: for more data than requests could create in time, and for what only other settings would store. */
export async function runSql({ databaseUrls }: Stack, statement: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrls.superuserUrl });
  await client.connect();
  try {
    await client.query(statement, values);
  } finally {
    await client.end();
  }
}

/** Completed jobs of a queue, ten milliseconds apart. Seeds 100,000 in about 4 s. */
export const seedCompletedJobs = (
  stack: Stack,
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
