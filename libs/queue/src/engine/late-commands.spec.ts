import { command, enqueue, newJob } from '@spooled/testing';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';

describe('a destructive command that runs long after it was issued', () => {
  const fixture = useEngine();
  let org: string;
  let issuedAt: string;
  beforeEach(async () => (org = await fixture.organization()));

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
