import pg from 'pg';
import { enqueue, ManualClock, newJob, untilLocked } from '@spooled/testing';
import { useEngine } from '../testing/job-lifecycle.fixture.js';
import { JobEngine } from './job-engine.js';

describe('a transaction that PostgreSQL aborts because of a conflict', () => {
  const fixture = useEngine();

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await client.connect();
    return client;
  }

  it('BX-10 is retried, and the caller gets its success', async () => {
    const org = await fixture.organization();
    const [other, third] = [await connect(), await connect()];
    const take = (client: pg.Client, key: string) =>
      client.query(
        'INSERT INTO idempotency_keys (organization_id, idempotency_key, job_id) VALUES ($1, $2, gen_random_uuid())',
        [org, key],
      );
    const waiting = (sessions: number) => untilLocked(fixture.superuser, sessions);
    // Another session holds c and waits for a before the engine, which holds a, waits for c: PostgreSQL looks for a deadlock once in each
    // wait, and the engine's is the last one. Until then it waits for b.
    await other.query('BEGIN');
    await other.query(`SET LOCAL deadlock_timeout = '1min'`);
    await take(other, 'c');
    await third.query('BEGIN');
    await take(third, 'b');
    const jobs = ['a', 'b', 'c'].map((idempotencyKey) => newJob({ idempotencyKey }));
    const errors: unknown[] = [];
    const options = { onEffects: () => undefined, onError: (error: unknown) => errors.push(error) };
    // A lock is waited for longer than PostgreSQL's deadlock_timeout, and nothing that takes 5 s would be retried.
    const engine = new JobEngine(fixture.db, { ...options, clock: new ManualClock(), sharedLockMs: 15_000 });
    const enqueued = engine.execute([enqueue(org, jobs)]);
    await waiting(1);
    const taken = take(other, 'a');
    await waiting(2);
    await third.query('ROLLBACK');
    await taken;
    await other.query('ROLLBACK');
    await Promise.all([other.end(), third.end()]);

    expect(await enqueued).toMatchObject([{ ok: true }]);
    for (const { id } of jobs) expect(await fixture.job(id)).toMatchObject({ status: 'pending' });
    // More than once when the engine takes a again before the other session has it.
    expect([...new Set(errors.map((error) => (error as pg.DatabaseError).code))]).toEqual(['40P01']);
  });

  it('BX-10 a command that two engines run concurrently takes effect once, and both report success', async () => {
    const org = await fixture.organization();
    // Nothing that takes 5 s would be retried.
    const patient = { onEffects: () => undefined, clock: new ManualClock(), sharedLockMs: 15_000 };
    const engines = [1, 2].map(() => new JobEngine(fixture.db, patient));
    for (let round = 0; round < 20; round++) {
      const job = newJob();
      const command = enqueue(org, [job]);
      const again = { ...command, redelivered: true };
      const created = { ok: true, value: { jobs: [{ jobId: job.id, created: true }] } };
      expect(await Promise.all([command, again].map((each, n) => engines[n]!.execute([each])))).toMatchObject([
        [created],
        [created],
      ]);
    }
    expect(await fixture.sql('SELECT count(*)::int AS n FROM jobs WHERE organization_id = $1', [org])).toEqual([
      { n: 20 },
    ]);
  });
});
