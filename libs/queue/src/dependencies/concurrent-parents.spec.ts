import type { CommandOf } from '@spooled/contracts';
import { inBorrowedTransaction, sendDirectly } from '@spooled/data-access';
import { claim, command, enqueue, newJob, unlimited, untilLocked } from '@spooled/testing';
import pg from 'pg';
import { completeIn } from '../complete/complete-in.js';
import { enqueueIn } from '../enqueue/enqueue-in.js';
import { EngineFixture, type HeldJob, workerCommands } from '../testing/job-lifecycle.fixture.js';

/** One transaction is open on a connection of its own; the command that meets it runs on the engine's. */
describe('while the transaction of another caller is open', () => {
  let fixture: EngineFixture;
  let holder: pg.Client;
  let other: pg.Client;
  let monitor: pg.Client;
  let org: string;

  beforeAll(async () => {
    fixture = await EngineFixture.open();
    const { superuserUrl: connectionString } = fixture.database;
    const connect = async () => {
      const client = new pg.Client({ connectionString });
      await client.connect();
      return client;
    };
    [holder, other, monitor] = [await connect(), await connect(), await connect()];
  });
  beforeEach(async () => {
    org = await fixture.organization();
    await holder.query('BEGIN');
  });
  afterEach(async () => {
    await Promise.all([holder.query('ROLLBACK'), other.query('ROLLBACK')]);
    // A deadlock would appear here.
    expect(fixture.errors).toEqual([]);
  });
  afterAll(async () => {
    await Promise.all([holder, other, monitor].map((client) => client?.end()));
    await fixture?.close();
  });

  const childOf = (parentJobId: string) => newJob({ parentJobId });
  const create = async (job = newJob()) => {
    await fixture.run(enqueue(org, [job]));
    return job.id;
  };
  const cancel = (jobId: string) => command('job.cancel', org, { jobId, queues: null });
  const cancelled = async () => {
    const id = await create();
    await fixture.run(cancel(id));
    return id;
  };
  const deadLetter = async () => {
    const id = await create();
    await fixture.run(claim(org));
    await fixture.run(workerCommands(org).fail({ id } as HeldJob, false));
    return id;
  };
  const depend = (jobId: string, ...dependsOn: string[]) =>
    command('job.addDependencies', org, { jobId, dependsOn, mode: null, queues: null });
  const retry = (jobId: string) => command('job.retry', org, { jobId, queues: null, quota: unlimited });
  const eventsOf = async (id: string) => {
    const sql = 'SELECT event FROM job_history WHERE job_id = $1 ORDER BY at';
    return (await fixture.sql<{ event: string }>(sql, [id])).map(({ event }) => event);
  };
  const statusOf = async (id: string) => (await fixture.job(id))?.status;

  const holdRetry = (id: string) =>
    holder.query(`SELECT requeue_jobs_v1($1, $2, '{deadletter,cancelled}', NULL)`, [org, [id]]);
  const holdEnqueue = (job: ReturnType<typeof newJob>, client = holder) =>
    inBorrowedTransaction(client, sendDirectly(client), { organizationId: org }, (tx) =>
      enqueueIn(tx, enqueue(org, [job])),
    );
  const holdCancellation = (id: string) => holder.query('SELECT cancel_jobs_v1($1, $2, NULL)', [org, [id]]);
  const holdDependency = (job: string, parent: string) =>
    holder.query('SELECT add_dependencies_v1($1, $2, $3, NULL, NULL)', [org, job, [parent]]);

  /** Commits the open transaction once the work waits for it, or is done without. */
  async function meet<T>(work: Promise<T>, client = holder): Promise<T> {
    await Promise.race([
      untilLocked(monitor),
      work.then(
        () => undefined,
        () => undefined,
      ),
    ]);
    await client.query('COMMIT');
    return work;
  }

  /** Runs the parent, then the child. */
  async function runBoth(parent: string, child: string): Promise<void> {
    for (const id of [parent, child]) {
      const { jobs } = await fixture.run(claim(org));
      expect(jobs.map((job) => job.id)).toEqual([id]);
      await fixture.run(workerCommands(org).complete(jobs[0]!));
    }
  }

  it.each([
    ['dead', deadLetter],
    ['cancelled', cancelled],
  ])('SP-50 a child that is created while its %s parent is retried runs after it', async (_, end) => {
    const parent = await end();
    const child = childOf(parent);
    await holdRetry(parent);
    await meet(fixture.run(enqueue(org, [child])));
    expect(await statusOf(child.id)).toBe('pending');
    await runBoth(parent, child.id);
  });

  it('SP-50 a retry of a dead parent brings back the child that is being created', async () => {
    const parent = await deadLetter();
    const child = childOf(parent);
    await holdEnqueue(child);
    await meet(fixture.run(retry(parent)));
    expect(await statusOf(child.id)).toBe('pending');
    await runBoth(parent, child.id);
  });

  it('SP-50 the history of a job has what a retry waited for before the retry', async () => {
    const parent = await deadLetter();
    const child = childOf(parent);
    await holder.query(`SELECT pg_advisory_xact_lock(hashtextextended('jobs:' || $1, 0))`, [org]);
    const retried = fixture.run(retry(parent));
    await untilLocked(monitor);
    await holdEnqueue(child);
    await holder.query('COMMIT');
    await retried;
    expect(await eventsOf(child.id)).toEqual(['cancelled', 'retried']);
  });

  it('SP-49 the history of a job has what a new dependency waited for before the dependency', async () => {
    const [parent, child] = [await create(), await create()];
    await holder.query(`SELECT pg_advisory_xact_lock(hashtextextended('dependencies:' || $1, 0))`, [org]);
    const added = fixture.run(depend(child, parent));
    await untilLocked(monitor);
    await fixture.run(command('job.prioritize', org, { jobId: child, queues: null, priority: 7 }));
    await holder.query('COMMIT');
    await added;
    expect(await eventsOf(child)).toEqual(['priority_changed', 'dependencies_added']);
  });

  it('SP-50 a retry brings back the child that is being created for one of the jobs it brings back', async () => {
    const grandparent = await deadLetter();
    const parent = childOf(grandparent);
    await create(parent);
    const child = childOf(parent.id);
    await holdEnqueue(child);
    await meet(fixture.run(retry(grandparent)));
    expect([await statusOf(parent.id), await statusOf(child.id)]).toEqual(['pending', 'pending']);
  });

  it('SP-50 a job that is made to wait for a dead one while that is retried runs after it', async () => {
    const parent = await deadLetter();
    const child = await create();
    await holdRetry(parent);
    await meet(fixture.run(depend(child, parent)));
    expect(await statusOf(child)).toBe('pending');
    await runBoth(parent, child);
  });

  it('SP-50 a retry brings back the job that is being made to wait for it', async () => {
    const parent = await deadLetter();
    const child = await create();
    await holdDependency(child, parent);
    await meet(fixture.run(retry(parent)));
    expect(await statusOf(child)).toBe('pending');
    await runBoth(parent, child);
  });

  const ends = {
    completes: {
      command: (held: HeldJob) => workerCommands(org).complete(held),
      child: { status: 'pending', dependencies_met: true },
    },
    dies: { command: (held: HeldJob) => workerCommands(org).fail(held, false), child: { status: 'cancelled' } },
  };
  it.each(Object.entries(ends))(
    'SP-49 SP-50 a parent that %s while a job is being made to wait for it is not missed',
    async (_, { command: end, child: expected }) => {
      const parent = await create();
      const held = await fixture.claimOne(org);
      const child = await create();
      await holdDependency(child, parent);
      await meet(fixture.run(end(held) as CommandOf<'job.complete'>));
      expect(await fixture.job(child)).toMatchObject(expected);
    },
  );

  it('SP-49 a job that is made to wait for a parent while that completes does not wait', async () => {
    const parent = await create();
    const held = await fixture.claimOne(org);
    const child = await create();
    await inBorrowedTransaction(holder, sendDirectly(holder), { organizationId: org }, (tx) =>
      completeIn(tx, workerCommands(org).complete(held)),
    );
    expect(await meet(fixture.run(depend(child, parent)))).toMatchObject({ met: true });
    expect((await fixture.claimOne(org)).id).toBe(child);
  });

  it('SP-50 a retry leaves a child cancelled whose other parent is being cancelled, and brings it back with that one', async () => {
    const [parent, second, child] = [await deadLetter(), await create(), await create()];
    await fixture.run(depend(child, parent, second));
    expect(await statusOf(child)).toBe('cancelled');
    await holdCancellation(second);
    await meet(fixture.run(retry(parent)));
    expect([await statusOf(parent), await statusOf(child)]).toEqual(['pending', 'cancelled']);
    await holder.query('BEGIN');
    await holdRetry(second);
    await holder.query('COMMIT');
    expect(await statusOf(child)).toBe('pending');
  });

  it('a job that is made to wait does not wait for jobs that are no parents of it', async () => {
    const dead = await deadLetter();
    const [parent, child, live] = [await create(), await create(), await create()];
    await holder.query('SELECT FROM jobs WHERE id = $1 FOR UPDATE', [dead]);
    await holder.query('SELECT FROM job_queue WHERE job_id = $1 FOR UPDATE', [live]);
    expect(await fixture.run(depend(child, parent))).toEqual({ added: [parent], met: false });
  });

  it('a parent that is being deleted is refused', async () => {
    const parent = await deadLetter();
    await holder.query('DELETE FROM jobs WHERE id = $1', [parent]);
    const child = childOf(parent);
    await expect(meet(fixture.run(enqueue(org, [child])))).rejects.toMatchObject({ status: 400 });
    expect(await statusOf(child.id)).toBeUndefined();
  });

  it('a parent that has ended beside one that does not exist is refused', async () => {
    const parent = await deadLetter();
    await expect(fixture.run(enqueue(org, [childOf(parent), childOf(newJob().id)]))).rejects.toMatchObject({
      status: 400,
    });
  });

  it('SP-50 a retry brings back the child that is being created for a parent that ended meanwhile', async () => {
    const parent = await create();
    const child = childOf(parent);
    await holdCancellation(parent);
    await other.query('BEGIN');
    await meet(holdEnqueue(child, other));
    await meet(fixture.sql(`SELECT requeue_jobs_v1($1, $2, '{cancelled}', NULL)`, [org, [parent]]), other);
    expect(await statusOf(child.id)).toBe('pending');
    await runBoth(parent, child.id);
  });
});
