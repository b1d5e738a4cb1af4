import { claim, command, enqueue, newJob, untilLocked } from '@spooled/testing';
import pg from 'pg';
import { EngineFixture, workerCommands } from '../testing/job-lifecycle.fixture.js';

describe('while another session', () => {
  let fixture: EngineFixture;
  let holder: pg.Client;
  let org: string;

  beforeAll(async () => {
    fixture = await EngineFixture.open();
    holder = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await holder.connect();
  });
  beforeEach(async () => {
    org = await fixture.organization();
    await holder.query('BEGIN');
  });
  afterEach(() => holder.query('ROLLBACK'));
  afterAll(async () => {
    await holder?.end();
    await fixture?.close();
  });

  it('PB-15 holds the first jobs of a queue, claims skip them and do not wait', async () => {
    const jobs = Array.from({ length: 5 }, () => newJob());
    await fixture.run(enqueue(org, jobs));
    const [first, second, ...rest] = jobs.map(({ id }) => id);
    await holder.query('SELECT FROM job_queue WHERE job_id = ANY ($1) FOR UPDATE', [[first, second]]);
    const claims = ['w1', 'w2', 'w3'].map((workerId) => fixture.run(claim(org, { workerId })));
    const granted = (await Promise.all(claims)).flatMap((granted) => granted.jobs.map(({ id }) => id));
    expect(granted.sort()).toEqual(rest.sort());
    expect((await fixture.run(claim(org))).jobs).toEqual([]);
  });

  it('PB-29 runs a command that was delivered again, the second run reports what the first one has done', async () => {
    const job = newJob();
    await fixture.run(enqueue(org, [job]));
    const cancel = command('job.cancel', org, { jobId: job.id, queues: null });
    await holder.query('SELECT FROM job_queue WHERE job_id = $1 FOR UPDATE', [job.id]);
    const second = fixture.run({ ...cancel, redelivered: true });
    // It has looked for the outcome of the first run, which is not committed.
    await untilLocked(fixture.superuser);
    const outcome = { ok: true, value: { cancelled: 'by the first run' } };
    await holder.query('INSERT INTO command_log (organization_id, command_id, outcome) VALUES ($1, $2, $3)', [
      org,
      cancel.id,
      outcome,
    ]);
    await holder.query('DELETE FROM job_queue WHERE job_id = $1', [job.id]);
    await holder.query('DELETE FROM jobs WHERE id = $1', [job.id]);
    await holder.query('COMMIT');
    expect(await second).toEqual(outcome.value);
  });

  it('PB-31 prevents every lock of a table, jobs are created, claimed, renewed, failed, completed and read', async () => {
    const { rows } = await holder.query<{ table: string }>(
      `SELECT string_agg(oid::regclass::text, ', ') AS table FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
    );
    // Conflicts with itself and with every stronger lock, but not with what reading and writing rows takes.
    await holder.query(`LOCK TABLE ${rows[0]!.table} IN SHARE UPDATE EXCLUSIVE MODE`);
    const { proof, complete, fail } = workerCommands(org);
    await fixture.run(enqueue(org, [newJob({ idempotencyKey: 'one' }), newJob()]));
    const { jobs } = await fixture.run(claim(org, { limit: 2 }));
    await fixture.run(command('job.renew', org, { ...proof(jobs[0]!), leaseSeconds: 60 }));
    await fixture.run(complete(jobs[0]!));
    await fixture.run(fail(jobs[1]!));
    expect(await fixture.job(jobs[0]!.id)).toMatchObject({ status: 'completed' });
    expect(await fixture.job(jobs[1]!.id)).toMatchObject({ status: 'pending', retry_count: 1 });
  });
});
