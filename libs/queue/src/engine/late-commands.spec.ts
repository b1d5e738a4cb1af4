import { command, enqueue, newJob, unlimited, untilLocked } from '@spooled/testing';
import pg from 'pg';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';
import { JobEngine } from './job-engine.js';

const fixture = useEngine();
let org: string;
beforeEach(async () => (org = await fixture.organization()));

describe('a destructive command that runs long after it was issued', () => {
  let issuedAt: string;

  const now = async () => {
    const [row] = await fixture.sql<{ now: Date }>(`SELECT clock_timestamp() + interval '1 millisecond' AS now`);
    // JavaScript truncates microseconds: wait until the instant has passed.
    await fixture.sql('SELECT pg_sleep(0.005)');
    return row!.now.toISOString();
  };
  const statusOf = async (id: string) => (await fixture.job(id))?.status;
  const deadLetter = async () => {
    const job = newJob({ maxRetries: 0 });
    await fixture.run(enqueue(org, [job]));
    await fixture.claimOne(org);
    await fixture.run(workerCommands(org).fail(job, false));
    return job.id;
  };

  it('BX-08 deletes only jobs that existed when it was issued', async () => {
    const [older, newer] = [newJob(), newJob()];
    await fixture.run(enqueue(org, [older]));
    issuedAt = await now();
    await fixture.run(enqueue(org, [newer]));
    const deletion = command('queue.delete', org, { queueName: 'emails', deleteJobs: true, issuedAt });
    await expect(fixture.run(deletion)).resolves.toEqual({ deletedJobs: 1 });
    expect([await statusOf(older.id), await statusOf(newer.id)]).toEqual([undefined, 'pending']);
    expect(await fixture.sql('SELECT queue_name FROM queues WHERE organization_id = $1', [org])).toHaveLength(1);
  });

  it('BX-08 purges only dead letters that existed when it was issued', async () => {
    const older = await deadLetter();
    issuedAt = await now();
    const newer = await deadLetter();
    const all = { jobIds: null, queueName: null, olderThan: null, limit: 100, issuedAt };
    await expect(fixture.run(command('deadletter.purge', org, all))).resolves.toEqual({ purged: 1 });
    expect([await statusOf(older), await statusOf(newer)]).toEqual([undefined, 'deadletter']);
  });

  it('BX-08 leaves a worker online that has registered again since it was issued', async () => {
    const worker = { workerId: 'w1', queueName: 'emails', hostname: 'h', workerType: null, maxConcurrency: 5 };
    const plan = { plan: 'enterprise', upgradeTo: null, maxWorkers: null, queues: null };
    const registration = () => command('worker.register', org, { ...worker, metadata: null, version: null, ...plan });
    const statusOfWorker = async () =>
      (await fixture.sql<{ status: string }>('SELECT status FROM workers WHERE organization_id = $1', [org]))[0]!
        .status;
    await fixture.run(registration());
    issuedAt = await now();
    const deregistration = () => command('worker.deregister', org, { workerId: 'w1', queues: null, issuedAt });
    await fixture.run(deregistration());
    expect(await statusOfWorker()).toBe('offline');
    await fixture.run(registration());
    await fixture.run(deregistration());
    expect(await statusOfWorker()).toBe('healthy');
  });
});

describe('a rare command that is delivered twice', () => {
  /** A retry of a job that waits, which is refused, and what lets it through. */
  const prepare = async () => {
    const job = newJob();
    await fixture.run(enqueue(org, [job]));
    const retry = command('job.retry', org, { jobId: job.id, queues: null, quota: unlimited });
    const die = async () => {
      await fixture.claimOne(org);
      await fixture.run(workerCommands(org).fail(job, false));
    };
    const status = async () => (await fixture.job(job.id)).status;
    return { retry, again: { ...retry, redelivered: true }, die, status };
  };
  const refused = { status: 409, message: 'Only failed and dead-lettered jobs can be retried: this one is pending' };

  it('BX-08 does not do later, with its first delivery, what the second one was refused', async () => {
    const { retry, again, die, status } = await prepare();
    await expect(fixture.run(again)).rejects.toMatchObject(refused);
    await die();
    for (const late of [retry, again]) await expect(fixture.run(late)).rejects.toMatchObject(refused);
    expect(await status()).toBe('deadletter');
  });

  it('BX-08 may do with its second delivery what the first one was refused', async () => {
    const { retry, again, die, status } = await prepare();
    await expect(fixture.run(retry)).rejects.toMatchObject(refused);
    await die();
    await fixture.run(again);
    expect(await status()).toBe('pending');
  });

  it('BX-08 is answered as before by its second delivery, which does and tells nothing', async () => {
    const { retry, again, die, status } = await prepare();
    await die();
    const done = await fixture.run(retry);
    await fixture.claimOne(org);
    fixture.effects.length = 0;
    expect(await fixture.run(again)).toEqual(done);
    expect([await status(), fixture.effects]).toEqual(['processing', []]);
  });

  it('BX-08 is answered with the success of its first delivery, if that commits while the second one runs', async () => {
    const { retry, again, die, status } = await prepare();
    await die();
    const holder = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      for (const [table, id] of Object.entries({ dead_letters: 'job_id', jobs: 'id' }))
        await holder.query(`SELECT FROM ${table} WHERE ${id} = $1 FOR UPDATE`, [retry.body.jobId]);
      const first = fixture.run(retry);
      await untilLocked(fixture.superuser);
      const second = fixture.run(again);
      await untilLocked(fixture.superuser, 2);
      await holder.query('COMMIT');
      expect(await second).toEqual(await first);
    } finally {
      await holder.end();
    }
    expect(await status()).toBe('pending');
  });
});

it('a rare command that fails is logged with its kind, and a refused one is not', async () => {
  const job = newJob();
  await fixture.run(enqueue(org, [job]));
  const of = { jobId: job.id, queues: null };
  const refused = command('job.cancel', org, { ...of, queues: ['other'] });
  const failing = command('job.prioritize', org, { ...of, priority: 1_000_000 });
  const logged: string[] = [];
  for (const onError of [undefined, (_: unknown, what: string) => void logged.push(what)]) {
    const engine = new JobEngine(fixture.db, { onEffects: () => undefined, onError });
    expect(await engine.execute([refused, failing])).toMatchObject([
      { ok: false, error: { status: 404 } },
      { ok: false, error: { status: 500 } },
    ]);
  }
  expect(logged).toEqual(['job.prioritize']);
});
