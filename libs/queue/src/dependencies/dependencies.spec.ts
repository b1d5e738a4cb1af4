import { claim, command, enqueue, newJob, unlimited } from '@spooled/testing';
import { EngineFixture } from '../testing/job-lifecycle.fixture.js';

describe('dependencies between jobs that exist', () => {
  let bench: EngineFixture;
  let org: string;

  beforeAll(async () => {
    bench = await EngineFixture.open();
  });
  beforeEach(async () => {
    org = await bench.organization();
  });
  // A deadlock would show here: whoever lost it would have been run again or refused.
  afterEach(() => expect(bench.errors).toEqual([]));
  afterAll(() => bench.close());

  /** Each in a queue of its own, so that a claim gets the one that is meant. */
  const create = async (): Promise<{ id: string; queueName: string }> => {
    const job = newJob({ queueName: `q-${newJob().id}`, maxRetries: 0 });
    await bench.run(enqueue(org, [job]));
    return job;
  };
  const depend = (jobId: string, dependsOn: string[], mode: 'all' | 'any' | null = null) =>
    bench.run(command('job.depend', org, { jobId, dependsOn, mode, queues: null }));
  const take = (job: { queueName: string }) => bench.run(claim(org, { queueName: job.queueName }));
  const proof = ({ id }: { id: string }) => ({ jobId: id, workerId: 'w1', leaseId: null, queues: null });
  const complete = (job: { id: string }) => bench.run(command('job.complete', org, { ...proof(job), result: null }));
  const fail = (job: { id: string }) =>
    bench.run(command('job.fail', org, { ...proof(job), error: 'broken', retry: false }));
  const bury = async (job: { id: string; queueName: string }) => {
    await take(job);
    await fail(job);
  };
  const retry = (job: { id: string }) =>
    bench.run(command('job.retry', org, { jobId: job.id, queues: null, quota: unlimited }));
  const statusOf = async ({ id }: { id: string }) => (await bench.job(id)).status;

  it('SP-49 a parent that ends at the same moment is never missed', async () => {
    for (let round = 0; round < 20; round++) {
      const [parent, child] = [await create(), await create()];
      await take(parent);
      await Promise.all([complete(parent), depend(child.id, [parent.id])]);
      expect((await take(child)).jobs).toHaveLength(1);
    }
    for (let round = 0; round < 20; round++) {
      const [parent, child] = [await create(), await create()];
      await take(parent);
      await Promise.all([fail(parent), depend(child.id, [parent.id])]);
      expect(await statusOf(child)).toBe('cancelled');
    }
  });

  it('edges that would close a circle together are not both added', async () => {
    const [a, b, c, d] = [await create(), await create(), await create(), await create()];
    await depend(b.id, [a.id]);
    await depend(d.id, [c.id]);
    const both = await Promise.all([depend(c.id, [b.id]), depend(a.id, [d.id])]);
    expect(both.map(({ added }) => added.length).sort()).toEqual([0, 1]);
  });

  it('`any` lets go of a job of which one parent has completed already', async () => {
    const [done, open, child] = [await create(), await create(), await create()];
    await take(done);
    await complete(done);
    expect(await depend(child.id, [done.id, open.id])).toEqual({ added: [done.id, open.id], met: false });
    expect(await depend(child.id, [open.id], 'any')).toEqual({ added: [], met: true });
    expect((await take(child)).jobs).toHaveLength(1);
  });

  it('SP-50 a retried parent brings back what was cancelled because of it, and only that', async () => {
    const [parent, child, grandchild, own] = [await create(), await create(), await create(), await create()];
    await depend(child.id, [parent.id]);
    await depend(grandchild.id, [child.id]);
    await depend(own.id, [parent.id]);
    await bench.run(command('job.cancel', org, { jobId: own.id, queues: null }));
    await bury(parent);
    expect([await statusOf(child), await statusOf(grandchild)]).toEqual(['cancelled', 'cancelled']);
    await retry(parent);
    expect([await statusOf(child), await statusOf(grandchild), await statusOf(own)]).toEqual([
      'pending',
      'pending',
      'cancelled',
    ]);
    expect((await take(child)).jobs).toEqual([]);
    await take(parent);
    await complete(parent);
    expect((await take(child)).jobs).toHaveLength(1);
    await complete(child);
    expect((await take(grandchild)).jobs).toHaveLength(1);
  });

  it('SP-50 a child of two dead letters comes back with the second, in whichever order they are retried', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const parents = [await create(), await create()];
      const child = await create();
      await depend(
        child.id,
        parents.map(({ id }) => id),
      );
      for (const parent of parents) await bury(parent);
      await retry(parents[order[0]!]!);
      expect(await statusOf(child)).toBe('cancelled');
      await retry(parents[order[1]!]!);
      expect(await statusOf(child)).toBe('pending');
    }
  });

  it('revived children count against the plan, all or none', async () => {
    const [parent, child] = [await create(), await create()];
    await depend(child.id, [parent.id]);
    await bury(parent);
    const quota = { ...unlimited, maxActiveJobs: 1 };
    const again = (maxActiveJobs: number) =>
      bench.run(command('job.retry', org, { jobId: parent.id, queues: null, quota: { ...quota, maxActiveJobs } }));
    await expect(again(1)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect([await statusOf(parent), await statusOf(child)]).toEqual(['deadletter', 'cancelled']);
    expect(await again(2)).toEqual({ jobId: parent.id });
  });
});
