import { randomUUID } from 'node:crypto';
import {
  type BatchJobStatus,
  type Database,
  deleteExpiredRecords,
  forceIndexPlans,
  listBatchJobs,
  type TenantTransaction,
} from '@spooled/data-access';
import { JobEngine } from '@spooled/queue';
import { claim, command, countReads, createTestDatabase, openConnections, type TestDatabase } from '@spooled/testing';
import pg from 'pg';

/** Jobs of the batch that live, as many that have completed, and as many live ones of another tenant. */
const jobs = 10_000;
/** Rows and index entries: some for each of 100 jobs. */
const boundedReads = 2_500;

const [org, other, batch] = [randomUUID(), randomUUID(), randomUUID()];
let database: TestDatabase;
let superuser: pg.Client;
let db: Database;
/** The place of a job in the middle, as operations remember it. */
let middle: unknown;

const fill = `
  WITH new AS (
    SELECT uuidv7() AS id, org::uuid, org = $1 AND n > $4 AS has_ended, org = $1 AS is_member
    FROM unnest(ARRAY[$2, $1]) AS org, generate_series(1, CASE org WHEN $1 THEN 2 * $4::integer ELSE $4 END) AS n
  ), records AS (
    INSERT INTO jobs (id, organization_id, queue_name, payload, outcome, created_at, updated_at, timeout_seconds, priority, max_retries,
      workflow_id)
    SELECT id, org, 'q', '{}', CASE WHEN has_ended THEN 'completed'::job_status END, now(), now(), 300, 0, 3,
      CASE WHEN is_member THEN $3::uuid END FROM new
  ), live AS (
    INSERT INTO job_queue (job_id, organization_id, queue_name, state, priority, max_retries, created_at)
    SELECT id, org, 'q', 'ready', 0, 3, now() FROM new WHERE NOT has_ended
  ), batch AS (
    INSERT INTO batches (id, organization_id, status, total_jobs, callbacks, queue_names, created_at)
    VALUES ($3, $1::uuid, 'open', 2 * $4::integer, '{"max_retries":3,"timeout_seconds":300}', '{q}', now() - interval '40 days')
  ), counts AS (
    INSERT INTO batch_counts (organization_id, batch_id, slot, succeeded) VALUES ($1::uuid, $3, 0, $4)
  )
  INSERT INTO batch_jobs (job_id, organization_id, batch_id, outcome)
  SELECT id, org, $3, CASE WHEN has_ended THEN 'completed' END FROM new WHERE is_member`;

beforeAll(async () => {
  database = await createTestDatabase();
  superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
  await superuser.query(`INSERT INTO organizations (id, name, slug) VALUES ($1, 'A', 'a'), ($2, 'B', 'b')`, [
    org,
    other,
  ]);
  await superuser.query(fill, [org, other, batch, jobs]);
  await superuser.query('VACUUM (ANALYZE) jobs, job_queue, batches, batch_jobs, batch_counts');
  const found = await superuser.query(
    `SELECT jsonb_build_object('part', 'ready', 'priority', priority, 'at', created_at, 'job_id', job_id) AS place
     FROM job_queue WHERE organization_id = $1 ORDER BY job_id OFFSET $2 LIMIT 1`,
    [org, jobs / 2],
  );
  middle = found.rows[0].place;
  // One connection of each role, so that their statistics can be flushed.
  db = openConnections(database, { maxConnections: 1, maxSystemConnections: 1, minConnections: 1 });
});
afterAll(async () => {
  await db.close();
  await superuser.end();
  await database.drop();
});

const withTenant = <T>(work: (tx: TenantTransaction) => Promise<T>) => db.withTenant(org, work);
const list = (statuses: BatchJobStatus[] | null) =>
  withTenant((tx) => listBatchJobs(tx, batch, { statuses, after: null, limit: 100, offset: 0 }));
const matching = `SELECT job_id FROM matching_live_jobs_v1($1, '{}', $2, '2100-01-01') LIMIT 100`;

/** A step of an operation; `after`: whether it is one in the middle. */
const stepOf = (filter: object, { after = false } = {}) =>
  withTenant(async (tx) => {
    await tx.run(forceIndexPlans);
    await tx.query('SET LOCAL enable_bitmapscan = off');
    const selection = JSON.stringify(after ? { ...filter, after: middle } : filter);
    expect(await tx.query(matching, [org, selection])).toHaveLength(100);
  });

const work: Record<string, () => Promise<unknown>> = {
  'a page of failed jobs, of which there are none': () => list(['failed']),
  'a page of unfinished jobs': () => list(['unfinished']),
  'a page of all jobs': () => list(null),
  'a step of its cancellation': () => stepOf({ batch_id: batch }),
  'a later step of its cancellation': () => stepOf({ batch_id: batch }, { after: true }),
  'a later step of an operation on its queue': () => stepOf({ queue_name: 'q' }, { after: true }),
  'the retention of its members': () =>
    db.asSystem('spec', (tx) =>
      deleteExpiredRecords(tx, 'batchJobs', [{ organizationId: org, days: 30 }], { limit: 100, lookBackSeconds: null }),
    ),
  'the completion of a job': async () => {
    const engine = new JobEngine(db, { onEffects: () => undefined });
    const [claimed] = await engine.execute([claim(org, { queueName: 'q' })]);
    const [job] = claimed!.ok ? (claimed!.value as { jobs: { id: string; leaseId: string }[] }).jobs : [];
    const { id: jobId, leaseId } = job!;
    const body = { jobId, leaseId, workerId: 'w1', queues: null, result: null };
    const [completed] = await engine.execute([command('job.complete', org, body)]);
    expect(completed).toMatchObject({ ok: true });
  },
};

describe('of a large batch, which has most jobs of the database', () => {
  it.each(Object.entries(work))('%s reads few rows', async (_, run) => {
    for (let i = 0; i < 6; i++) {
      const before = await rowsRead();
      await run();
      const read = (await rowsRead()) - before;
      expect({ read, isBounded: read <= boundedReads }).toEqual({ read, isBounded: true });
    }
  });
});

async function rowsRead(): Promise<number> {
  const { sequential, entries } = await countReads(db, superuser, { withSystem: true });
  return sequential + entries;
}
