import type { ClaimedJob, Command } from '@spooled/contracts';
import { claim, command, enqueue, newJob, unlimited, untilLocked, useForAll } from '@spooled/testing';
import pg from 'pg';
import { TestBatch } from '../batches/test-batch.fixture.js';
import { OperationsFixture } from '../operations/operations.fixture.js';
import { type HeldJob, useEngine, workerCommands } from './job-lifecycle.fixture.js';
import { TestWorkflow } from './workflow-steps.fixture.js';

const lockNotAvailable = '55P03';
const fixture = useEngine();
let org: string;
const clients = useForAll(
  async () => {
    const { superuserUrl: connectionString } = fixture.database;
    const [holder, other] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
    await Promise.all([holder.connect(), other.connect()]);
    return { holder, other };
  },
  ({ holder, other }) => Promise.all([holder.end(), other.end()]),
);
beforeEach(async () => void (org = await fixture.organization()));
afterEach(() => clients.holder.query('ROLLBACK'));

/**
 * Two transactions that lock the same jobs in different orders wait for each other, and one of them fails. Here another caller holds the
 * second job by id, and a batch that names it first must hold the first one while it waits.
 */
describe('jobs of a batch are locked in order of their ids', () => {
  /** @returns two jobs, in order of id */
  const create = async () => {
    const jobs = [newJob(), newJob()];
    await fixture.run(enqueue(org, jobs));
    return jobs;
  };
  const running = async () => {
    await create();
    const { jobs } = await fixture.run(claim(org, { limit: 2 }));
    return jobs.sort((a, b) => (a.id < b.id ? -1 : 1));
  };
  const ended = async () => {
    const jobs = await running();
    for (const job of jobs) await fixture.run(workerCommands(org).fail(job, false));
    return jobs;
  };
  /** @param start what names the jobs, the second one first */
  async function expectOrder(jobs: HeldJob[], start: () => Promise<unknown>, table = 'job_queue', key = 'job_id') {
    const [first, second] = jobs as [HeldJob, HeldJob];
    await clients.holder.query('BEGIN');
    await clients.holder.query(`SELECT FROM ${table} WHERE ${key} = $1 FOR UPDATE`, [second.id]);
    const done = start();
    await untilLocked(fixture.superuser);
    const free = await fixture.sql(`SELECT FROM ${table} WHERE ${key} = $1 FOR UPDATE SKIP LOCKED`, [first.id]);
    await clients.holder.query('COMMIT');
    await done;
    expect(free).toEqual([]);
  }
  const reversed = (jobs: ClaimedJob[], toCommand: (job: ClaimedJob) => unknown) => () =>
    fixture.engine.execute(jobs.toReversed().map(toCommand) as Command[]);

  const { proof } = workerCommands('');
  const line = { number: 1, ageMs: 0, level: 'info' as const, message: 'm', fields: null };
  it.each<[string, (job: ClaimedJob) => unknown]>([
    ['completions', (job) => workerCommands(org).complete(job)],
    ['failures', (job) => workerCommands(org).fail(job)],
    ['renewals', (job) => command('job.renew', org, { ...proof(job), leaseSeconds: 60 })],
    ['progress reports', (job) => command('job.progress', org, { ...proof(job), progress: 5, message: null })],
    ['log lines', (job) => command('job.appendLogs', org, { ...proof(job), lines: [line] })],
    ['steps', (job) => command('job.recordStep', org, { ...proof(job), step: 's', result: null })],
  ])('by %s', async (_, toCommand) => {
    const jobs = await running();
    await expectOrder(jobs, reversed(jobs, toCommand));
  });

  it('by a release', async () => {
    const jobs = await running();
    const leases = jobs.map(({ id, leaseId }) => ({ jobId: id, leaseId })).toReversed();
    await expectOrder(jobs, () => fixture.run(command('job.release', org, { leases })));
  });

  it('by a retry of dead letters', async () => {
    const jobs = await ended();
    const jobIds = jobs.map(({ id }) => id).toReversed();
    const body = { jobIds, queueName: null, limit: 9, quota: unlimited, maxWorkflows: null };
    await expectOrder(jobs, () => fixture.run(command('deadletter.retry', org, body)), 'jobs', 'id');
  });

  it.each([
    ['a cancellation', create, 'cancel_jobs_v1($1, $2, NULL)'],
    ['a request for their cancellation', running, 'request_cancellation_v1($1, $2, NULL, NULL)'],
  ])('by %s', async (_, prepare, call) => {
    const jobs = await prepare();
    const ids = jobs.map(({ id }) => id).toReversed();
    await expectOrder(jobs, () => clients.other.query(`SELECT ${call}`, [org, ids]));
  });

  describe('as children', () => {
    /** Two children whose edges were written in the other order. */
    const family = async () => {
      const parent = newJob({ priority: 9, maxRetries: 0 });
      await fixture.run(enqueue(org, [parent]));
      const children = await create();
      for (const child of children.toReversed())
        await fixture.run(
          command('job.addDependencies', org, { jobId: child.id, dependsOn: [parent.id], mode: null, queues: null }),
        );
      return { parent: await fixture.claimOne(org), children };
    };

    it('by the completion of their parent', async () => {
      const { parent, children } = await family();
      await expectOrder(children, () => fixture.run(workerCommands(org).complete(parent)));
    });

    it('by the failure of their parent', async () => {
      const { parent, children } = await family();
      await expectOrder(children, () => fixture.run(workerCommands(org).fail(parent, false)));
    });

    it('and none that does not wait for it, by the failure of their parent', async () => {
      const { parent, children } = await family();
      const [other, free, apart] = [newJob({ priority: 9 }), newJob(), newJob()];
      await fixture.run(enqueue(org, [other, free, apart]));
      const depend = (jobId: string, dependsOn: string[], mode: 'all' | 'any') =>
        fixture.run(command('job.addDependencies', org, { jobId, dependsOn, mode, queues: null }));
      await depend(free.id, [parent.id, other.id], 'any');
      await fixture.run(workerCommands(org).complete(await fixture.claimOne(org)));
      const still = newJob();
      await fixture.run(enqueue(org, [still]));
      await depend(apart.id, [still.id], 'all');
      await clients.holder.query('BEGIN');
      await clients.holder.query('SELECT FROM job_queue WHERE job_id = ANY ($1) FOR UPDATE', [[free.id, apart.id]]);
      await fixture.run(workerCommands(org).fail(parent, false));
      for (const { id } of children) expect(await fixture.job(id)).toMatchObject({ status: 'cancelled' });
      for (const { id } of [free, apart]) expect(await fixture.job(id)).toMatchObject({ status: 'pending' });
    });
  });

  it.each([
    ['live', create, 'job_queue', 'job_id'],
    ['ended', ended, 'jobs', 'id'],
  ])('as %s parents by a job that is made to wait for them', async (_, prepare, table, key) => {
    const parents = await prepare();
    const child = newJob();
    await fixture.run(enqueue(org, [child]));
    const dependsOn = parents.map(({ id }) => id).toReversed();
    const body = { jobId: child.id, dependsOn, mode: null, queues: null };
    await expectOrder(parents, () => fixture.run(command('job.addDependencies', org, body)), table, key);
  });

  it('and their workflows too: by completions', async () => {
    const flows = [
      await TestWorkflow.create(fixture, org, { a: {} }),
      await TestWorkflow.create(fixture, org, { a: {} }),
    ];
    flows.sort((a, b) => (a.id < b.id ? -1 : 1));
    await fixture.run(claim(org, { limit: 2 }));
    const completions = flows.toReversed().map((flow) => flow.completion('a'));
    await expectOrder(flows, () => fixture.engine.execute(completions), 'workflows', 'id');
  });

  it('and the locks of their batches, and of no others: by completions', async () => {
    const batches: TestBatch[] = [];
    for (let i = 0; i < 3; i++) batches.push(await TestBatch.create(fixture, org, []));
    batches.sort((a, b) => (a.id < b.id ? -1 : 1));
    const [other, first, second] = batches as [TestBatch, TestBatch, TestBatch];
    for (const [priority, batch] of batches.entries()) {
      await batch.add(1, { priority });
      await batch.close();
    }
    const { jobs } = await fixture.run(claim(org, { limit: 2 }));
    await clients.holder.query('BEGIN');
    for (const { id } of [other, second])
      await clients.holder.query(`SELECT pg_advisory_xact_lock(hashtextextended('batch:' || $1, 0))`, [id]);
    const done = fixture.engine.execute(jobs.map((job) => workerCommands(org).complete(job)));
    await untilLocked(fixture.superuser);
    const tried = `SELECT pg_try_advisory_xact_lock(hashtextextended('batch:' || $1, 0)) AS free`;
    const free = await fixture.sql(tried, [first.id]);
    await clients.holder.query('COMMIT');
    await done;
    expect(free).toEqual([{ free: false }]);
    expect(await Promise.all([first, second].map((batch) => batch.row()))).toMatchObject([
      { succeeded: 1 },
      { succeeded: 1 },
    ]);
  });

  it.each(['workflows', 'batches'])('and their %s too: by a move', async (table) => {
    const [members, column] = table === 'batches' ? ['batch_jobs', 'batch_id'] : ['workflow_jobs', 'workflow_id'];
    const create = async (key: string) => {
      if (table === 'workflows') return TestWorkflow.create(fixture, org, { [key]: {} });
      const batch = await TestBatch.create(fixture, org, []);
      await batch.add(1);
      return batch;
    };
    const groups = [await create('a'), await create('b')].sort((a, b) => (a.id < b.id ? -1 : 1));
    // The first job is of the second one.
    const ids = groups.map(({ id }) => id);
    await fixture.sql(
      `UPDATE ${members} SET ${column} = CASE ${column} WHEN $1 THEN $2::uuid ELSE $1 END WHERE ${column} IN ($1, $2)`,
      ids,
    );
    const operations = new OperationsFixture(fixture, org);
    await operations.create('job.move', { filter: { queue_name: 'emails' }, settings: { to_queue: 'bulk' } });
    await expectOrder(groups, () => operations.step(), table, 'id');
    expect(operations.errors).toEqual([]);
  });

  it('and idempotency keys in order of the keys', async () => {
    const store = (client: pg.Client, key: string) =>
      client.query('INSERT INTO idempotency_keys (organization_id, idempotency_key, job_id) VALUES ($1, $2, $3)', [
        ...[org, key, newJob().id],
      ]);
    await clients.holder.query('BEGIN');
    await store(clients.holder, 'b');
    const created = fixture.run(
      enqueue(
        org,
        ['b', 'a'].map((idempotencyKey) => newJob({ idempotencyKey })),
      ),
    );
    await untilLocked(fixture.superuser);
    await clients.other.query(`BEGIN; SET LOCAL lock_timeout = '10ms'`);
    const second = store(clients.other, 'a');
    await expect(second).rejects.toMatchObject({ code: lockNotAvailable });
    for (const client of [clients.other, clients.holder]) await client.query('ROLLBACK');
    expect((await created).jobs).toMatchObject([{ created: true }, { created: true }]);
  });

  it('and outcomes of commands in order of their ids', async () => {
    const [first, second] = [newJob().id, newJob().id].sort();
    const log = (client: pg.Client, ...ids: unknown[]) =>
      client.query('SELECT log_outcomes_v1($1)', [
        JSON.stringify([{ organization: org, commands: ids.map((id) => ({ id, outcome: {} })) }]),
      ]);
    await clients.holder.query(`BEGIN; SET LOCAL lock_timeout = '10ms'`);
    await log(clients.holder, second);
    const logged = log(clients.other, second, first);
    await untilLocked(fixture.superuser);
    await expect(log(clients.holder, first)).rejects.toMatchObject({ code: lockNotAvailable });
    await clients.holder.query('ROLLBACK');
    await logged;
  });
});

/** Else two transactions that lock the same rows in different orders wait for each other. What is waited for here is locked first. */
describe('what several transactions lock is locked in one order', () => {
  let operations: OperationsFixture;
  beforeEach(() => void (operations = new OperationsFixture(fixture, org)));

  /** Starts work that must wait for a lock of the holder, and expects others to get these locks meanwhile. */
  async function expectFree(lock: [string, string], start: () => Promise<unknown>, ...free: [string, string][]) {
    await clients.holder.query('BEGIN');
    await clients.holder.query(lock[0], [lock[1]]);
    const done = start();
    await untilLocked(fixture.superuser);
    await clients.other.query(`BEGIN; SET LOCAL lock_timeout = '10ms'`);
    const taken = free.map(([text, parameter]) => clients.other.query(text, [parameter]));
    const failed = (await Promise.allSettled(taken)).filter(({ status }) => status === 'rejected');
    await clients.other.query('ROLLBACK');
    await clients.holder.query('COMMIT');
    await done;
    expect(failed).toEqual([]);
  }
  const letter = (id: string): [string, string] => ['SELECT FROM dead_letters WHERE job_id = $1 FOR UPDATE', id];
  const record = (id: string): [string, string] => ['SELECT FROM jobs WHERE id = $1 FOR UPDATE', id];
  const live = (id: string): [string, string] => ['SELECT FROM job_queue WHERE job_id = $1 FOR UPDATE', id];
  /** Of requeues, and of creates under a plan with limits. */
  const requeues = (): [string, string] => [`SELECT pg_advisory_xact_lock(hashtextextended('jobs:' || $1, 0))`, org];

  it('dead letters, as by purges and replays, before their records and other requeues: by a retry', async () => {
    const [id] = await operations.die(['{}']);
    const retry = command('job.retry', org, { jobId: id!, queues: null, quota: unlimited });
    await expectFree(letter(id!), () => fixture.run(retry), requeues(), record(id!));
    expect(await operations.statuses([id!])).toEqual(['pending']);
  });

  it('dead letters before their records and other requeues: by the retry of a workflow from a job', async () => {
    const flow = await TestWorkflow.create(fixture, org, { only: {} });
    const id = flow.ids.only!;
    await flow.claim();
    await flow.fail('only');
    await expectFree(letter(id), () => flow.retry('only'), requeues(), record(id));
    expect(await flow.statuses()).toEqual({ only: 'pending' });
  });

  it('dead letters before their records: by the deletion of their queue', async () => {
    const [id] = await operations.die(['{}']);
    const deletion = command('queue.delete', org, { queueName: 'emails', deleteJobs: true, issuedAt: null });
    await expectFree(letter(id!), () => fixture.run(deletion), record(id!));
    expect(await operations.statuses([id!])).toEqual([]);
  });

  it('creates under a plan with limits before live rows, as by those of children: by a move', async () => {
    const job = newJob();
    await fixture.run(enqueue(org, [job]));
    await operations.create('job.move', { filter: { queue_name: 'emails' }, settings: { to_queue: 'bulk' } });
    await expectFree(requeues(), () => operations.step(), live(job.id));
    expect(await fixture.job(job.id)).toMatchObject({ queue_name: 'bulk' });
  });

  it('the name of a queue before batches, as by those who delete it or create callbacks there: by a move', async () => {
    const batch = await TestBatch.create(fixture, org, []);
    const [id] = await batch.add(1);
    await operations.create('job.move', { filter: { queue_name: 'emails' }, settings: { to_queue: 'bulk' } });
    const name: [string, string] = [
      `SELECT pg_advisory_xact_lock(hashtextextended('queue:' || $1 || ':bulk', 0))`,
      org,
    ];
    await expectFree(name, () => operations.step(), ['SELECT FROM batches WHERE id = $1 FOR UPDATE', batch.id]);
    expect(await fixture.job(id!)).toMatchObject({ queue_name: 'bulk' });
  });
});

it('names of new queues are inserted in one order', async () => {
  const names = Array.from({ length: 12 }, (_, n) => `queue-${10 + n}`);
  const insert = 'INSERT INTO queues (organization_id, queue_name) SELECT $1, unnest($2::text[])';
  await clients.holder.query('BEGIN');
  await clients.holder.query(insert, [org, names.slice(0, 1)]);
  const done = fixture.engine.execute([
    enqueue(
      org,
      names.toReversed().map((queueName) => newJob({ queueName })),
    ),
  ]);
  await untilLocked(fixture.superuser);
  // The batch waits for the first name and has none of the others, for which this transaction would wait.
  await clients.holder.query("SET LOCAL lock_timeout = '100ms'");
  await clients.holder.query(insert, [org, names.slice(1)]);
  await clients.holder.query('COMMIT');
  expect(await done).toMatchObject([{ ok: true }]);
});
