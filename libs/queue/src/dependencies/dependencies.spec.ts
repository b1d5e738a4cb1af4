import { claim, command, enqueue, newJob, unlimited } from '@spooled/testing';
import { useEngine } from '../testing/job-lifecycle.fixture.js';

describe('dependencies between existing jobs', () => {
  const fixture = useEngine();
  let org: string;
  beforeEach(async () => {
    org = await fixture.organization();
  });
  // A deadlock would appear here as a retry or an error.
  afterEach(() => expect(fixture.errors).toEqual([]));

  /** Each job in a queue of its own, so that a claim gets that job. */
  const create = async (): Promise<{ id: string; queueName: string }> => {
    const job = newJob({ queueName: `q-${newJob().id}`, maxRetries: 0 });
    await fixture.run(enqueue(org, [job]));
    return job;
  };
  const depend = (jobId: string, dependsOn: string[], mode: 'all' | 'any' | null = null) =>
    fixture.run(command('job.addDependencies', org, { jobId, dependsOn, mode, queues: null }));
  const take = (job: { queueName: string }) => fixture.run(claim(org, { queueName: job.queueName }));
  const proof = ({ id }: { id: string }) => ({ jobId: id, workerId: 'w1', leaseId: null, queues: null });
  const complete = (job: { id: string }) => fixture.run(command('job.complete', org, { ...proof(job), result: null }));
  const fail = (job: { id: string }) =>
    fixture.run(command('job.fail', org, { ...proof(job), error: 'broken', retry: false }));
  const deadLetter = async (job: { id: string; queueName: string }) => {
    await take(job);
    await fail(job);
  };
  const retry = (job: { id: string }) =>
    fixture.run(command('job.retry', org, { jobId: job.id, queues: null, quota: unlimited }));
  /** The jobs whose histories say that no parent blocks them any more. */
  const released = async () => {
    const rows = await fixture.sql<{ job_id: string }>(
      `SELECT job_id FROM job_history WHERE organization_id = $1 AND event = 'dependencies_met'`,
      [org],
    );
    return rows.map(({ job_id }) => job_id);
  };
  const statusOf = async ({ id }: { id: string }) => (await fixture.job(id)).status;

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

  it('edges that would close a cycle together are not both added', async () => {
    const [a, b, c, d] = [await create(), await create(), await create(), await create()];
    await depend(b.id, [a.id]);
    await depend(d.id, [c.id]);
    const both = await Promise.all([depend(c.id, [b.id]), depend(a.id, [d.id])]);
    expect(both.map(({ added }) => added.length).sort()).toEqual([0, 1]);
  });

  it('`any` releases a job when one parent has already completed', async () => {
    const [done, open, child] = [await create(), await create(), await create()];
    await take(done);
    await complete(done);
    expect(await depend(child.id, [done.id, open.id])).toEqual({ added: [done.id, open.id], met: false });
    expect(await depend(child.id, [open.id], 'any')).toEqual({ added: [], met: true });
    expect((await take(child)).jobs).toHaveLength(1);
  });

  it('`any` releases a job once, whatever its other parents do', async () => {
    const [first, second, child] = [await create(), await create(), await create()];
    await depend(child.id, [first.id, second.id], 'any');
    for (const parent of [first, second]) {
      await take(parent);
      await complete(parent);
    }
    expect(await released()).toEqual([child.id]);
  });

  it('SP-49 `all` releases a job with the last of its parents, and leaves all others as they are', async () => {
    const [first, second, child, other, waiting] = [
      await create(),
      await create(),
      await create(),
      await create(),
      await create(),
    ];
    await depend(child.id, [first.id, second.id]);
    await depend(waiting.id, [other.id]);
    await take(first);
    await complete(first);
    expect([await released(), (await take(child)).jobs]).toEqual([[], []]);
    await take(second);
    await complete(second);
    expect(await released()).toEqual([child.id]);
    expect((await take(child)).jobs).toHaveLength(1);
    expect((await take(waiting)).jobs).toEqual([]);
  });

  it('SP-50 retrying a parent requeues the jobs that were cancelled because of it, and only those', async () => {
    const [parent, child, grandchild, own] = [await create(), await create(), await create(), await create()];
    await depend(child.id, [parent.id]);
    await depend(grandchild.id, [child.id]);
    await depend(own.id, [parent.id]);
    await fixture.run(command('job.cancel', org, { jobId: own.id, queues: null }));
    await deadLetter(parent);
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

  it('SP-50 a child of two dead letters is requeued with the second, in either order of retries', async () => {
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
      for (const parent of parents) await deadLetter(parent);
      await retry(parents[order[0]!]!);
      expect(await statusOf(child)).toBe('cancelled');
      await retry(parents[order[1]!]!);
      expect(await statusOf(child)).toBe('pending');
    }
  });

  it('requeued children count against the quota, all or none', async () => {
    const [parent, child] = [await create(), await create()];
    await depend(child.id, [parent.id]);
    await deadLetter(parent);
    const quota = { ...unlimited, maxActiveJobs: 1 };
    const again = (maxActiveJobs: number) =>
      fixture.run(command('job.retry', org, { jobId: parent.id, queues: null, quota: { ...quota, maxActiveJobs } }));
    await expect(again(1)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect([await statusOf(parent), await statusOf(child)]).toEqual(['deadletter', 'cancelled']);
    expect(await again(2)).toEqual({ jobId: parent.id });
  });
});
