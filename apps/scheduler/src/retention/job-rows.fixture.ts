import type { TenantTransaction } from '@spooled/data-access';

/** What is kept about a job beside its record. */
export const keptAboutJobs = ['idempotency_keys', 'job_dependencies', 'job_steps', 'job_logs', 'job_history'];

/** Adds a row about a job to each of these tables. */
export const addRowsAbout = (tx: TenantTransaction, id: string, key: string): Promise<unknown> =>
  tx.query(
    `WITH keys AS (
       INSERT INTO idempotency_keys (organization_id, job_id, idempotency_key) VALUES ($1, $2, $3)
     ), edges AS (
       INSERT INTO job_dependencies (organization_id, job_id, depends_on_job_id) VALUES ($1, $2, gen_random_uuid())
     ), steps AS (
       INSERT INTO job_steps (organization_id, job_id, name, kind, created_at, finished_at) VALUES ($1, $2, 'charge', 'step', now(), now())
     ), logs AS (
       INSERT INTO job_logs (organization_id, job_id, run, number, lease_id, attempt, at, level, message, kept, bytes, reported)
       VALUES ($1, $2, 1, 1, gen_random_uuid(), 1, now(), 'info', 'charged', 1, 7, 1)
     )
     INSERT INTO job_history (organization_id, job_id, at, event) VALUES ($1, $2, now(), 'failed')`,
    [tx.organizationId, id, key],
  );

/** Expects rows of each of these tables about these jobs, and about no others. */
export async function expectRowsAbout(tx: TenantTransaction, ids: string[]): Promise<void> {
  for (const table of keptAboutJobs) {
    const rows = await tx.query<{ id: string }>(`SELECT DISTINCT job_id AS id FROM ${table} ORDER BY 1`);
    expect([table, rows.map(({ id }) => id)]).toEqual([table, [...ids].sort()]);
  }
}
