import pg from 'pg';
import { enqueue, eventually, newJob } from '@spooled/testing';
import { EngineFixture } from '../testing/job-lifecycle.fixture.js';
import { JobEngine } from './job-engine.js';

describe('a transaction that PostgreSQL aborts because of a conflict', () => {
  let fixture: EngineFixture;
  beforeAll(async () => {
    fixture = await EngineFixture.open();
  });
  afterAll(() => fixture.close());

  it('BX-10 is retried, and the caller gets its success', async () => {
    const org = await fixture.organization();
    const other = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await other.connect();
    const take = (key: string) =>
      other.query(
        'INSERT INTO idempotency_keys (organization_id, idempotency_key, job_id) VALUES ($1, $2, gen_random_uuid())',
        [org, key],
      );
    // Holds b and waits for a, while the engine holds a and waits for b; the engine's deadlock check runs first and
    // aborts it.
    await other.query('BEGIN');
    await other.query(`SET LOCAL deadlock_timeout = '1min'`);
    await take('b');
    const [first, second] = ['a', 'b'].map((idempotencyKey) => newJob({ idempotencyKey }));
    const errors: unknown[] = [];
    const options = { onEffects: () => undefined, onError: (error: unknown) => errors.push(error) };
    // Longer than PostgreSQL's deadlock_timeout.
    const engine = new JobEngine(fixture.db, { ...options, sharedLockMs: 2_400 });
    const enqueued = engine.execute([enqueue(org, [first!, second!])]);
    await eventually(async () => {
      const waiting = await fixture.sql(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(waiting).toHaveLength(1);
    });
    await take('a');
    await other.query('ROLLBACK');
    await other.end();

    expect(await enqueued).toMatchObject([{ ok: true }]);
    expect(await fixture.job(first!.id)).toMatchObject({ status: 'pending' });
    expect(await fixture.job(second!.id)).toMatchObject({ status: 'pending' });
    expect(errors).toMatchObject([{ code: '40P01' }]);
  });

  it('BX-10 a command that two engines run concurrently takes effect once, and both report success', async () => {
    const org = await fixture.organization();
    for (let round = 0; round < 20; round++) {
      const job = newJob();
      const command = enqueue(org, [job]);
      const again = { ...command, redelivered: true };
      const answers = await Promise.all([fixture.run(command), fixture.run(again)]);
      expect(answers.map(({ jobs }) => jobs)).toEqual([
        [{ jobId: job.id, created: true }],
        [{ jobId: job.id, created: true }],
      ]);
    }
    expect(await fixture.sql('SELECT count(*)::int AS n FROM jobs WHERE organization_id = $1', [org])).toEqual([
      { n: 20 },
    ]);
  });
});
