import type { Command } from '@spooled/contracts';
import { type BatchTransaction, Database, type TransactionLimits } from '@spooled/data-access';
import { JobEngine } from '@spooled/queue';
import { claim, command, enqueue, eventually, newJob, useDatabase } from '@spooled/testing';
import pg from 'pg';

/** Counts the locks of each batch on tables and indexes before it commits. */
class LockCountingDatabase extends Database {
  /** Locks in the table that all connections share. */
  shared = 0;

  override inBatch<T>(work: (tx: BatchTransaction) => Promise<T>, limits?: TransactionLimits): Promise<T> {
    return super.inBatch(async (tx) => {
      const result = await work(tx);
      const rows = await tx.query<{ shared: number }>(
        `SELECT count(*)::int AS shared FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'relation' AND NOT fastpath`,
      );
      this.shared += rows[0]!.shared;
      return result;
    }, limits);
  }
}

const database = useDatabase();
let org: string;

beforeAll(async () => {
  const superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
  // As many as after some months.
  await superuser.query(
    `SELECT create_partition_v1(parent, week), attach_partition_v1(parent, week)
     FROM unnest(ARRAY['jobs', 'job_history']) AS parent, generate_series(1, 6) AS n,
       LATERAL (SELECT (date_trunc('week', now()) - n * interval '1 week')::date AS week) AS past
     WHERE to_regclass(partition_name(parent, week)) IS NULL`,
  );
  const { rows } = await superuser.query<{ id: string }>(
    `INSERT INTO organizations (name, slug) VALUES ('Spec', 'spec') RETURNING id`,
  );
  org = rows[0]!.id;
  await superuser.end();
});
const proof = (jobId: string) => ({ jobId, workerId: 'w1', leaseId: null, queues: null });
const moves: Record<string, (id: string) => Command> = {
  completed: (id) => command('job.complete', org, { ...proof(id), result: null }),
  retried: (id) => command('job.fail', org, { ...proof(id), error: 'no', retry: true }),
  'made dead letters': (id) => command('job.fail', org, { ...proof(id), error: 'no', retry: false }),
};

it.each(Object.entries(moves))('jobs that are %s take no lock in the table that connections share', async (_, move) => {
  // While a migration of another spec holds its locks, PostgreSQL keeps some of others there too.
  await eventually(async () => expect(await sharedLocks(move)).toBe(0));
});

/** Of a new session, which plans everything for the first time. */
async function sharedLocks(move: (id: string) => Command): Promise<number> {
  const db = new LockCountingDatabase({
    appUrl: database.appUrl,
    applicationName: 'spec',
    maxConnections: 1,
    minConnections: 1,
    acquireTimeoutMs: 10_000,
    onError: () => undefined,
  });
  const engine = new JobEngine(db, { onEffects: () => undefined });
  try {
    for (let i = 0; i < 2; i++) {
      const [, claimed] = [
        await engine.execute([enqueue(org, [newJob(), newJob()])]),
        await engine.execute([claim(org, { limit: 2, leaseSeconds: 600 })]),
      ];
      const { jobs } = (claimed[0] as { value: { jobs: { id: string }[] } }).value;
      expect(jobs).toHaveLength(2);
      expect(await engine.execute(jobs.map(({ id }) => move(id)))).toEqual(
        jobs.map(() => expect.objectContaining({ ok: true })),
      );
    }
    return db.shared;
  } finally {
    await db.close();
  }
}
