import { formatActor, type NewJob } from '@spooled/contracts';
import { claim, command, enqueue, fromNow, newJob, unlimited } from '@spooled/testing';
import { refusal, useEngine } from '../testing/job-lifecycle.fixture.js';

describe('dependencies between existing jobs', () => {
  const fixture = useEngine();
  let org: string;
  beforeEach(async () => void (org = await fixture.organization()));
  // A deadlock would appear here as a retry or an error.
  afterEach(() => expect(fixture.errors).toEqual([]));

  /** Each job in a queue of its own, so that a claim gets that job. */
  const create = async (more: Partial<NewJob> = {}): Promise<{ id: string; queueName: string }> => {
    const job = newJob({ queueName: `q-${newJob().id}`, maxRetries: 0, ...more });
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

  it('SP-49 SP-50 children that are created together wait for their own parents, run or are cancelled as these have ended', async () => {
    const queueName = 'mails';
    const [done, dead, open, older] = [
      await create({ queueName, priority: 9 }),
      await create({ queueName, priority: 8 }),
      await create({ queueName }),
      await create({ queueName }),
    ];
    await depend(older.id, [open.id], 'any');
    for (const parent of [done, dead]) await take(parent);
    await complete(done);
    await fail(dead);
    const children = [done, dead, open, done].map(({ id }) => newJob({ queueName, parentJobId: id }));
    const [ready, cancelled, waiting, held] = children as [NewJob, NewJob, NewJob, NewJob];
    held.idempotencyKey = 'once';
    const again = newJob({ queueName, parentJobId: open.id, idempotencyKey: 'once' });
    const apart = newJob({ queueName });
    await fixture.run(enqueue(org, [apart, ...children, again]));
    const rows = await fixture.sql(
      `SELECT q.job_id AS id, q.dependencies_met AS met, q.has_dependents AS needed, e.depends_on_job_id AS parent
       FROM job_queue q LEFT JOIN job_dependencies e ON e.job_id = q.job_id WHERE q.organization_id = $1`,
      [org],
    );
    const row = (parent: { id: string } | null, met: boolean, needed = false) => ({
      met,
      needed,
      parent: parent && parent.id,
    });
    expect(new Map(rows.map(({ id, ...more }) => [id, more]))).toEqual(
      new Map([
        [open.id, row(null, true, true)],
        [older.id, row(open, false)],
        [apart.id, row(null, true)],
        [ready.id, row(done, true)],
        [held.id, row(done, true)],
        [waiting.id, row(open, false)],
      ]),
    );
    expect(await statusOf(cancelled)).toBe('cancelled');
    const edges = await fixture.sql('SELECT job_id FROM job_dependencies WHERE organization_id = $1', [org]);
    expect(edges.map(({ job_id }) => job_id).sort()).toEqual([older, ...children].map(({ id }) => id).sort());
    expect((await released()).sort()).toEqual([ready.id, held.id].sort());
  });

  it('a parent must exist in the queue of its child', async () => {
    const [parent, other] = [await create(), newJob()];
    await fixture.run(enqueue(org, [other]));
    for (const id of [parent.id, newJob().id]) {
      const child = newJob({ parentJobId: id, queueName: other.queueName });
      await expect(fixture.run(enqueue(org, [child]))).rejects.toMatchObject({ status: 400 });
    }
    expect(await fixture.sql('SELECT FROM job_dependencies WHERE organization_id = $1', [org])).toEqual([]);
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

  it('SP-50 the end of a parent cancels what cannot run any more, and nothing else', async () => {
    const later = { scheduledAt: fromNow(3_600_000).toISOString() };
    const [dead, alsoDead, open] = [await create(), await create(), await create()];
    const [any, all, scheduled, below, apart] = [
      await create(),
      await create(),
      await create(later),
      await create(),
      await create(),
    ];
    await depend(any.id, [dead.id, open.id], 'any');
    await depend(all.id, [dead.id, alsoDead.id, open.id]);
    await depend(scheduled.id, [dead.id]);
    await depend(below.id, [all.id]);
    await depend(apart.id, [open.id]);
    fixture.effects.length = 0;
    await deadLetter(dead);

    const cancelled = [all, scheduled, below];
    const ids = (jobs: { id: string }[]) => jobs.map(({ id }) => id).sort();
    const records = await fixture.sql<{ id: string }>(
      `SELECT id FROM jobs WHERE organization_id = $1 AND outcome = 'cancelled' AND completed_at = cancelled_at AND completed_at = updated_at
         AND last_error = 'A job that this one depends on did not complete' ORDER BY id`,
      [org],
    );
    expect(records.map(({ id }) => id)).toEqual(ids(cancelled));
    const live = await fixture.sql<{ id: string }>(
      'SELECT job_id AS id FROM job_queue WHERE organization_id = $1 ORDER BY job_id',
      [org],
    );
    expect(live.map(({ id }) => id)).toEqual(ids([alsoDead, open, any, apart]));
    const marked = await fixture.sql(
      `SELECT job_id, depends_on_job_id FROM job_dependencies WHERE organization_id = $1 AND cancelled_child ORDER BY 1`,
      [org],
    );
    const edge = (job: { id: string }, parent: { id: string }) => ({ job_id: job.id, depends_on_job_id: parent.id });
    expect(marked).toEqual([edge(all, dead), edge(scheduled, dead), edge(below, all)]);
    const past = await fixture.sql(
      `SELECT job_id, details ->> 'parent_job_id' AS depends_on_job_id FROM job_history
       WHERE organization_id = $1 AND event = 'cancelled' AND actor = 'system dependencies' AND details ->> 'reason' = 'dependency'
       ORDER BY job_id`,
      [org],
    );
    expect(past).toEqual(marked);
    const counted = await fixture.sql<{ queue_name: string }>(
      'SELECT queue_name FROM job_stats WHERE organization_id = $1 AND cancelled = 1 ORDER BY 1',
      [org],
    );
    expect(counted.map(({ queue_name }) => queue_name)).toEqual(cancelled.map(({ queueName }) => queueName).sort());
    const told = fixture
      .events(org)
      .flatMap(({ type, data }) => (type === 'JobStatusChange' && data.new_status === 'cancelled' ? [data] : []));
    expect(Object.fromEntries(told.map(({ job_id, old_status }) => [job_id, old_status]))).toEqual({
      [all.id]: 'pending',
      [scheduled.id]: 'scheduled',
      [below.id]: 'pending',
    });

    await take(open);
    await fail(open);
    expect([await statusOf(any), await statusOf(apart)]).toEqual(['cancelled', 'cancelled']);
  });

  it('SP-50 the end of a parent is that of its children by the same caller', async () => {
    const [parent, child, grandchild] = [await create(), await create(), await create()];
    await depend(child.id, [parent.id]);
    await depend(grandchild.id, [child.id]);
    const actor = formatActor('key', 'k-1', 'Import');
    await fixture.run(command('job.cancel', org, { jobId: parent.id, queues: null }, { actor }));
    const past = `SELECT job_id, actor FROM job_history WHERE organization_id = $1 AND event = 'cancelled' ORDER BY job_id`;
    expect(await fixture.sql(past, [org])).toEqual(
      [parent, child, grandchild].map(({ id }) => ({ job_id: id, actor })),
    );
  });

  it('SP-50 a job of mode `any` is not cancelled once a parent has completed', async () => {
    const [done, dead, child] = [await create(), await create(), await create()];
    await depend(child.id, [done.id, dead.id], 'any');
    await take(done);
    await complete(done);
    await deadLetter(dead);
    expect((await take(child)).jobs).toHaveLength(1);
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

  it('are refused for jobs that are unknown, of other queues or organizations, running or ended, and change nothing', async () => {
    const [job, parent] = [await create(), await create()];
    const foreign = newJob();
    await fixture.run(enqueue(await fixture.organization(), [foreign]));
    const ask = (jobId: string, dependsOn: string[], queues: string[] | null = null) =>
      fixture.run(command('job.addDependencies', org, { jobId, dependsOn, mode: null, queues }));
    const unknown: Parameters<typeof ask>[] = [
      [newJob().id, [parent.id]],
      [job.id, [parent.id, newJob().id]],
      [job.id, [parent.id, 'no-uuid']],
      [foreign.id, [parent.id]],
      [job.id, [foreign.id]],
      [job.id, [parent.id], [job.queueName]],
      [job.id, [parent.id], [parent.queueName]],
    ];
    for (const asked of unknown) await expect(ask(...asked)).rejects.toEqual(refusal(404, 'NOT_FOUND'));
    const [held, done] = [await create(), await create()];
    await take(held);
    await take(done);
    await complete(done);
    for (const { id } of [held, done]) await expect(ask(id, [parent.id])).rejects.toEqual(refusal(409, 'CONFLICT'));
    const edges = () => fixture.sql('SELECT job_id FROM job_dependencies WHERE organization_id = $1', [org]);
    expect(await edges()).toEqual([]);
    expect(await ask(job.id, [parent.id], [job.queueName, parent.queueName])).toEqual({
      added: [parent.id],
      met: false,
    });
    expect(await edges()).toEqual([{ job_id: job.id }]);
  });

  it('are in the history of the job as they were added, and those that are there already are passed over', async () => {
    const [job, first, second, apart] = [await create(), await create(), await create(), await create()];
    const actor = formatActor('key', 'k-1', 'Import');
    const add = (dependsOn: string[], mode: 'any' | null) =>
      fixture.run(command('job.addDependencies', org, { jobId: job.id, dependsOn, mode, queues: null }, { actor }));
    fixture.effects.length = 0;
    expect(await add([job.id, first.id], null)).toEqual({ added: [first.id], met: false });
    expect(await add([first.id, second.id], 'any')).toEqual({ added: [second.id], met: false });
    expect(await add([first.id], null)).toEqual({ added: [], met: false });
    expect(fixture.effects.flatMap(({ wakeups }) => wakeups)).toEqual([]);
    const past = 'SELECT job_id, event, actor, details FROM job_history WHERE organization_id = $1 ORDER BY at';
    const line = (details: object) => ({ job_id: job.id, event: 'dependencies_added', actor, details });
    expect(await fixture.sql(past, [org])).toEqual([
      line({ depends_on: [first.id], mode: 'all' }),
      line({ depends_on: [second.id], mode: 'any' }),
    ]);
    const stored = await fixture.sql(
      `SELECT q.job_id, q.dependencies_met AS met, q.has_dependents AS needed, j.dependency_mode AS mode, j.updated_at > j.created_at AS updated
       FROM job_queue q JOIN jobs j ON j.id = q.job_id WHERE q.organization_id = $1 ORDER BY q.job_id`,
      [org],
    );
    const none = { met: true, needed: false, mode: null, updated: false };
    expect(stored).toEqual([
      { job_id: job.id, met: false, needed: false, mode: 'any', updated: true },
      { ...none, job_id: first.id, needed: true },
      { ...none, job_id: second.id, needed: true },
      { ...none, job_id: apart.id },
    ]);
  });

  it('SP-50 on ended jobs cancel a job that they block, and release one that none blocks, with its history and wake-up', async () => {
    const [dead, done, open] = [await create(), await create(), await create()];
    await deadLetter(dead);
    await take(done);
    await complete(done);
    const [blocked, any, met, child] = [await create(), await create(), await create(), await create()];
    await depend(child.id, [any.id]);
    expect(await depend(any.id, [dead.id, open.id], 'any')).toMatchObject({ met: false });
    expect(await depend(met.id, [dead.id, done.id], 'any')).toMatchObject({ met: true });
    expect(await depend(blocked.id, [done.id, dead.id])).toMatchObject({ met: false });
    const statuses = async () => Promise.all([any, met, blocked, child].map(statusOf));
    expect(await statuses()).toEqual(['pending', 'pending', 'cancelled', 'pending']);
    const told = fixture.events(org).map(({ data }) => data);
    expect(told.filter((data) => 'new_status' in data && data.new_status === 'cancelled')).toMatchObject([
      { job_id: blocked.id, old_status: 'pending' },
    ]);
    fixture.effects.length = 0;
    expect(await depend(any.id, [done.id])).toEqual({ added: [done.id], met: true });
    expect(await depend(met.id, [done.id])).toEqual({ added: [], met: true });
    expect(await released()).toEqual([any.id]);
    expect(fixture.effects.flatMap(({ wakeups }) => wakeups)).toEqual([
      { organizationId: org, queueName: any.queueName },
    ]);
  });

  it('SP-50 a child does not come back while it needs a parent that failed and was deleted, unlike one that completed', async () => {
    const [purged, dead, done, stuck, free] = [
      await create(),
      await create(),
      await create(),
      await create(),
      await create(),
    ];
    await depend(stuck.id, [purged.id, dead.id]);
    await depend(free.id, [done.id, dead.id]);
    await take(done);
    await complete(done);
    for (const parent of [purged, dead]) await deadLetter(parent);
    const purge = { jobIds: [purged.id], queueName: null, olderThan: null, limit: 9, issuedAt: null };
    await fixture.run(command('deadletter.purge', org, purge));
    // As by retention.
    await fixture.sql('DELETE FROM jobs WHERE id = $1', [done.id]);
    await retry(dead);
    expect([await statusOf(stuck), await statusOf(free)]).toEqual(['cancelled', 'pending']);
  });

  it('SP-50 a retry leaves alone what waits for other jobs, and a child that lives although one of its parents was deleted', async () => {
    const [dead, other, purged, open] = [await create(), await create(), await create(), await create()];
    const [child, unrelated, both] = [await create(), await create(), await create()];
    await depend(child.id, [purged.id, dead.id, open.id], 'any');
    await depend(unrelated.id, [other.id], 'any');
    await depend(both.id, [dead.id, other.id], 'any');
    for (const parent of [dead, other, purged]) await deadLetter(parent);
    const purge = { jobIds: [purged.id], queueName: null, olderThan: null, limit: 9, issuedAt: null };
    await fixture.run(command('deadletter.purge', org, purge));
    // Two live, and two come back.
    const quota = { ...unlimited, maxActiveJobs: 4 };
    await fixture.run(command('job.retry', org, { jobId: dead.id, queues: null, quota }));
    const statuses = await Promise.all([child, unrelated, dead, both].map(statusOf));
    expect(statuses).toEqual(['pending', 'cancelled', 'pending', 'pending']);
  });

  it('requeued children count against the quota, each once, all or none', async () => {
    const [parent, left, right, end] = [await create(), await create(), await create(), await create()];
    for (const child of [left, right]) await depend(child.id, [parent.id]);
    await depend(end.id, [left.id, right.id]);
    await deadLetter(parent);
    const again = (maxActiveJobs: number) =>
      fixture.run(
        command('job.retry', org, { jobId: parent.id, queues: null, quota: { ...unlimited, maxActiveJobs } }),
      );
    await expect(again(3)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect([await statusOf(parent), await statusOf(end)]).toEqual(['deadletter', 'cancelled']);
    expect(await again(4)).toEqual({ jobId: parent.id });
  });
});
