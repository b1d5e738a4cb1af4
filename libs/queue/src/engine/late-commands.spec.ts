import { claim, command, enqueue, newJob } from '@spooled/testing';
import { EngineFixture, moves } from '../testing/job-lifecycle.fixture.js';

describe('a destructive command that runs long after it was issued', () => {
  let bench: EngineFixture;
  let org: string;
  let issuedAt: string;
  beforeAll(async () => (bench = await EngineFixture.open()));
  beforeEach(async () => (org = await bench.organization()));
  afterAll(() => bench?.close());

  const now = async () => {
    const [row] = await bench.sql<{ now: Date }>(`SELECT clock_timestamp() + interval '1 millisecond' AS now`);
    // JavaScript cuts microseconds off: wait until the moment is over.
    await bench.sql('SELECT pg_sleep(0.005)');
    return row!.now.toISOString();
  };
  const statusOf = async (id: string) => (await bench.job(id))?.status;
  const bury = async () => {
    const job = newJob({ maxRetries: 0 });
    await bench.run(enqueue(org, [job]));
    await bench.claimOne(org);
    await bench.run(moves(org).fail(job, false));
    return job.id;
  };

  it('SP-21 deletes a queue as it was then', async () => {
    const [older, newer] = [newJob(), newJob()];
    await bench.run(enqueue(org, [older]));
    issuedAt = await now();
    await bench.run(enqueue(org, [newer]));
    const deletion = command('queue.delete', org, { queueName: 'emails', deleteJobs: true, issuedAt });
    await expect(bench.run(deletion)).resolves.toEqual({ deletedJobs: 1 });
    expect([await statusOf(older.id), await statusOf(newer.id)]).toEqual([undefined, 'pending']);
    expect(await bench.sql('SELECT queue_name FROM queues WHERE organization_id = $1', [org])).toHaveLength(1);
  });

  it('SP-21 purges what was dead then', async () => {
    const older = await bury();
    issuedAt = await now();
    const newer = await bury();
    const all = { jobIds: null, queueName: null, olderThan: null, limit: 100, issuedAt };
    await expect(bench.run(command('deadletter.purge', org, all))).resolves.toEqual({ purged: 1 });
    expect([await statusOf(older), await statusOf(newer)]).toEqual([undefined, 'deadletter']);
  });

  it('SP-21 takes from a worker what it held then', async () => {
    const worker = { workerId: 'w1', queueName: 'emails', hostname: 'h', workerType: null, maxConcurrency: 5 };
    const plan = { plan: 'enterprise', upgradeTo: null, maxWorkers: null, queues: null };
    await bench.run(command('worker.register', org, { ...worker, metadata: null, version: null, ...plan }));
    await bench.run(enqueue(org, [newJob(), newJob()]));
    const older = await bench.claimOne(org);
    issuedAt = await now();
    const { jobs } = await bench.run(claim(org));
    const deregistration = command('worker.deregister', org, { workerId: 'w1', queues: null, issuedAt });
    await expect(bench.run(deregistration)).resolves.toEqual({ releasedJobs: 1 });
    expect([await statusOf(older.id), await statusOf(jobs[0]!.id)]).toEqual(['pending', 'processing']);
  });
});
