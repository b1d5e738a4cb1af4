import type { BatchCallback } from '@spooled/contracts';
import { deleteExpiredRecords } from '@spooled/data-access';
import { command, eventually, newJob, unlimited, untilLocked } from '@spooled/testing';
import pg from 'pg';
import { OperationsFixture } from '../operations/operations.fixture.js';
import { useEngine, workerCommands } from '../testing/job-lifecycle.fixture.js';
import { everyCallback, TestBatch } from './test-batch.fixture.js';

const fixture = useEngine();
describe('batches on PostgreSQL', () => {
  let org: string;
  let batch: TestBatch;
  beforeEach(async () => {
    org = await fixture.organization();
    batch = await TestBatch.create(fixture, org);
  });
  const deleteQueue = (queueName: string) =>
    fixture.run(command('queue.delete', org, { queueName, deleteJobs: true, issuedAt: null }));

  it('complete with the last job after their close, and create their callback jobs', async () => {
    await batch.add(2);
    await batch.complete(2);
    expect(await batch.row()).toMatchObject({ status: 'open', total: 2, succeeded: 2, ended: false });
    await batch.add(1);
    expect(await batch.close()).toEqual({ closed: true });
    expect(await batch.row()).toMatchObject({ status: 'closed', ended: false });
    expect(await batch.fired()).toEqual([]);
    await batch.complete();
    expect(await batch.row()).toMatchObject({ status: 'completed', total: 3, succeeded: 3, ended: true });
    expect(await batch.fired()).toEqual(['on_complete', 'on_success']);
    const [job] = await batch.claim(1, 'on_success');
    expect(job).toMatchObject({ payload: '{"zero":"\\u0000"}', maxRetries: 3, timeoutSeconds: 300 });
    expect(await fixture.job(job!.id)).toMatchObject({ batch_id: batch.id, workflow_id: null });
    await fixture.run(workerCommands(org).complete(job!));
    expect(await batch.row()).toMatchObject({ total: 3, succeeded: 3 });
    const told = fixture.effects.flatMap(({ wakeups }) => wakeups).filter((wakeup) => wakeup.organizationId === org);
    expect(told.map(({ queueName }) => queueName)).toEqual(expect.arrayContaining(['on_complete', 'on_success']));
    expect(fixture.events(org)).toContainEqual({
      type: 'JobCreated',
      data: expect.objectContaining({ job_id: job!.id, queue_name: 'on_success' }),
    });
  });

  it('complete with their close if all jobs have ended, or if there are none', async () => {
    await batch.add(1);
    await batch.complete();
    await batch.close();
    const empty = await TestBatch.create(fixture, org);
    await empty.close();
    for (const closed of [batch, empty]) {
      expect(await closed.fired()).toEqual(['on_complete', 'on_success']);
      expect(await closed.close()).toEqual({ closed: false });
    }
    expect(await batch.fired()).toHaveLength(2);
  });

  it('create their callbacks whatever other batches have done', async () => {
    const other = await TestBatch.create(fixture, org);
    for (const flow of [batch, other]) {
      await flow.add(1);
      await flow.close();
      await flow.die();
      expect(await flow.fired()).toEqual(['on_complete', 'on_death']);
      const ids = await fixture.sql<{ complete: string | null; death: string | null }>(
        'SELECT complete_job_id AS complete, death_job_id AS death FROM batches WHERE organization_id = $1',
        [org],
      );
      expect(new Set(ids.map(({ complete }) => complete)).size).toBe(2);
      expect(new Set(ids.map(({ death }) => death)).size).toBe(2);
    }
  });

  it('count their own jobs where one transaction ends jobs of two', async () => {
    const other = await TestBatch.create(fixture, org);
    await batch.add(2);
    await other.add(1);
    const { proof } = workerCommands(org);
    const jobs = (await batch.claim(3)).map((job) => ({ ...proof(job), result: null }));
    await fixture.run(command('job.completeMany', org, { jobs, queues: null }));
    expect([await batch.row(), await other.row()]).toMatchObject([{ succeeded: 2 }, { succeeded: 1 }]);
  });

  it('create a callback also in a queue that has no receiver for it any more', async () => {
    const flow = await TestBatch.create(fixture, org, ['on_complete']);
    await fixture.sql(
      `INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, 'on_complete', '{"push":true}')`,
      [org],
    );
    await flow.close();
    expect(await flow.fired()).toEqual(['on_complete']);
  });

  it('create on_death with the first dead letter, and on_success when a replay has completed all', async () => {
    await batch.add(3);
    const [dead] = await batch.die(1);
    expect(await batch.fired()).toEqual(['on_death']);
    await batch.die(1);
    await batch.close();
    await batch.complete();
    expect(await batch.row()).toMatchObject({ status: 'completed', succeeded: 1, failed: 2 });
    expect(await batch.fired()).toEqual(['on_complete', 'on_death']);
    await batch.retry(dead!);
    expect(await batch.row()).toMatchObject({ succeeded: 1, failed: 1 });
    await batch.complete();
    const [other] = await fixture.sql<{ id: string }>(
      `SELECT job_id AS id FROM batch_jobs WHERE batch_id = $1 AND outcome = 'deadletter'`,
      [batch.id],
    );
    await batch.retry(other!.id);
    await batch.die(1);
    await batch.retry(other!.id);
    await batch.complete();
    expect(await batch.row()).toMatchObject({ status: 'completed', succeeded: 3, failed: 0 });
    expect(await batch.fired()).toEqual(['on_complete', 'on_death', 'on_success']);
  });

  it('count children of a dead letter as cancelled, also those that are added later, and again when it is replayed', async () => {
    const [parentJobId] = await batch.add(1);
    await batch.add(2, { parentJobId: parentJobId! });
    await batch.die(1);
    await batch.add(1, { parentJobId: parentJobId! });
    await batch.close();
    expect(await batch.row()).toMatchObject({ status: 'completed', total: 4, failed: 1, cancelled: 3 });
    expect(await batch.fired()).toEqual(['on_complete', 'on_death']);
    await batch.retry(parentJobId!);
    expect(await batch.row()).toMatchObject({ succeeded: 0, failed: 0, cancelled: 0 });
    await batch.complete();
    await batch.complete();
    expect(await batch.row()).toMatchObject({ succeeded: 4 });
    expect(await batch.fired()).toEqual(['on_complete', 'on_death', 'on_success']);
  });

  it.each([
    ['at once', () => deleteQueue('emails')],
    [
      'in steps',
      async () => {
        const [row] = await fixture.sql<{ now: string }>('SELECT clock_timestamp()::text AS now');
        const operations = new OperationsFixture(fixture, org);
        const filter = { queue_name: 'emails', created_before: row!.now };
        await operations.finish(await operations.create('queue.delete', { filter }));
      },
    ],
  ])('create a callback in the queue whose deletion ends them: %s', async (_how, remove) => {
    const flow = new TestBatch(fixture, org);
    await flow.create(['on_complete'], null, { queueName: 'emails' });
    await flow.add(2);
    await flow.close();
    await remove();
    expect(await flow.row()).toMatchObject({ status: 'completed', cancelled: 2 });
    const jobs = await flow.claim();
    expect(jobs).toHaveLength(1);
    expect(await fixture.job(jobs[0]!.id)).toMatchObject({ batch_id: flow.id });
  });

  it('take jobs of their own only while they are open, at most as many as fit, and all of a request or none', async () => {
    const jobs = () => Array.from({ length: 3 }, () => newJob());
    await fixture.run(batch.addCommand(jobs(), { maxJobs: 5 }));
    await expect(fixture.run(batch.addCommand(jobs(), { maxJobs: 5 }))).rejects.toThrow(
      /at most 5 jobs: this one has 3/,
    );
    const [again] = [newJob({ idempotencyKey: 'k' })];
    await fixture.run(batch.addCommand([again!]));
    const copy = newJob({ idempotencyKey: 'k' });
    expect(await fixture.run(batch.addCommand([copy]))).toEqual({ jobs: [{ jobId: again!.id, created: false }] });
    expect(await batch.row()).toMatchObject({ total: 4 });
    await batch.close();
    await expect(fixture.run(batch.addCommand(jobs()))).rejects.toMatchObject({ status: 409 });
    expect((await batch.claim()).length).toBe(4);
    const unknown = new TestBatch(fixture, org);
    await expect(fixture.run(unknown.addCommand(jobs()))).rejects.toMatchObject({ status: 404 });
    const other = new TestBatch(fixture, await fixture.organization());
    const foreign = { ...other.addCommand(jobs()).body, batchId: batch.id };
    await expect(fixture.run(command('batch.add', other.org, foreign))).rejects.toMatchObject({ status: 404 });
  });

  it('are refused beyond the open batches of the plan, also of those that are created at the same moment', async () => {
    const plan = { quota: { ...unlimited, plan: 'free', upgradeTo: 'starter' }, maxOpenBatches: 2 };
    const open = () => new TestBatch(fixture, org).create([], null, plan);
    const outcomes = await Promise.allSettled([open(), open(), open()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = { status: 429, code: 'QUOTA_EXCEEDED', message: expect.stringContaining('open_batches') };
    await expect(open()).rejects.toMatchObject({
      ...refused,
      extras: { resource: 'open_batches', current: 2, limit: 2, plan: 'free', upgrade_to: 'starter' },
    });
    await batch.close();
    await open();
    await expect(open()).rejects.toMatchObject(refused);
    const other = new TestBatch(fixture, await fixture.organization());
    await other.create([], null, plan);
  });

  it('are refused when their callback jobs exceed the plan, because these are not refused later', async () => {
    const flow = (callbacks: BatchCallback[], maxActiveJobs: number) =>
      new TestBatch(fixture, org).create(callbacks, null, { quota: { ...unlimited, maxActiveJobs } });
    await flow(['on_success', 'on_complete'], 2);
    await expect(flow(everyCallback, 2)).rejects.toMatchObject({ status: 429 });
  });

  it('are not deleted by retention when jobs join them after it has looked for jobs', async () => {
    const days = [{ organizationId: org, days: 30 }];
    const retain = () =>
      fixture.db.asSystem('retention of a spec', (tx) =>
        deleteExpiredRecords(tx, 'batches', days, { limit: 10, lookBackSeconds: null }),
      );
    await fixture.sql(`UPDATE batches SET created_at = created_at - interval '31 days' WHERE id = $1`, [batch.id]);
    await using held = await stopRetention();
    const deleted = retain();
    await Promise.race([someoneWaits(), deleted]);
    const [jobId] = await batch.add(1);
    await held.goOn();
    expect(await deleted).toBe(0);
    expect(await fixture.sql('SELECT job_id FROM batch_jobs WHERE batch_id = $1', [batch.id])).toEqual([
      { job_id: jobId },
    ]);
    await batch.close();
    await batch.complete();
    expect(await batch.row()).toMatchObject({ status: 'completed', succeeded: 1 });
  });

  it.each([
    ['retention deletes them', 'DELETE FROM batches WHERE id = $1', { status: 404, message: 'Batch not found' }],
    [
      'they are closed',
      `UPDATE batches SET status = 'closed' WHERE id = $1`,
      { status: 409, message: 'Jobs can be added to an open batch only: this one is closed' },
    ],
  ])('are not filled once %s', async (_, change, refusal) => {
    await fixture.sql(`UPDATE batches SET created_at = created_at - interval '31 days' WHERE id = $1`, [batch.id]);
    const client = await connect();
    try {
      await client.query('BEGIN');
      await client.query(change, [batch.id]);
      const added = batch.add(1);
      await Promise.race([someoneWaits(), added]);
      await client.query('COMMIT');
      await expect(added).rejects.toMatchObject(refusal);
    } finally {
      await client.end();
    }
    expect(await fixture.sql('SELECT FROM jobs WHERE organization_id = $1', [org])).toEqual([]);
  });

  it('are created once, with the queues of their callbacks, and leave what callers did in the audit log', async () => {
    const again = await batch.create();
    expect(again).toEqual({ batchId: batch.id });
    const queues = 'SELECT queue_names FROM batches WHERE id = $1';
    expect(await fixture.sql(queues, [batch.id])).toEqual([{ queue_names: ['on_complete', 'on_death', 'on_success'] }]);
    await batch.close();
    const other = new TestBatch(fixture, org);
    expect([await other.create([]), await other.cancel()]).toEqual([{ batchId: other.id }, { cancelled: true }]);
    await expect(other.close()).rejects.toMatchObject({ status: 409, message: 'The batch was cancelled' });
    const audited = await fixture.sql(
      `SELECT action, target_id AS of, before, after FROM audit_log WHERE organization_id = $1 AND target_kind = 'batch' ORDER BY at, id`,
      [org],
    );
    const created = { action: 'batch.created', before: null, after: { name: 'import' } };
    const open = { status: 'open' };
    expect(audited).toEqual([
      { of: batch.id, ...created },
      { of: batch.id, action: 'batch.closed', before: open, after: { status: 'closed' } },
      { of: other.id, ...created },
      { of: other.id, action: 'batch.cancelled', before: open, after: { status: 'cancelled' } },
    ]);
    const problem = 'Only batches that have not completed can be cancelled';
    await expect(batch.cancel()).rejects.toMatchObject({ status: 409, message: problem });
  });

  it('are refused when a callback job would be pushed to no receiver', async () => {
    await fixture.sql(
      `INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, 'pushed', '{"push":true}')`,
      [org],
    );
    const created = new TestBatch(fixture, org).create(['on_complete'], null, { queueName: 'pushed' });
    const details = { 'on_complete.callback_url': expect.stringContaining('each job needs one') as unknown };
    await expect(created).rejects.toMatchObject({ status: 400, details });
  });

  it('are not seen by keys without one of their queues', async () => {
    await batch.add(1);
    const scoped = batch.addCommand([newJob()], { queues: ['emails'] });
    const message = 'This API key has no access to queue "on_complete"';
    await expect(fixture.run(scoped)).rejects.toMatchObject({ status: 403, message });
  });

  it('are not seen by keys of the queue that their jobs were moved from', async () => {
    const flow = await TestBatch.create(fixture, await fixture.organization(), []);
    const scoped = () => fixture.run(flow.addCommand([newJob()], { queues: ['emails'] }));
    await flow.add(1);
    await scoped();
    const operations = new OperationsFixture(fixture, flow.org);
    const settings = { to_queue: 'bulk' };
    const apart = await TestBatch.create(fixture, flow.org, [], ['emails']);
    const move = async () =>
      operations.finish(await operations.create('job.move', { filter: { queue_name: 'emails' }, settings }));
    await move();
    await expect(scoped()).rejects.toMatchObject({ status: 403 });
    await flow.add(1);
    await move();
    const named = await fixture.sql('SELECT id, queue_names FROM batches WHERE organization_id = $1', [flow.org]);
    expect(new Map(named.map(({ id, queue_names }) => [id, queue_names]))).toEqual(
      new Map([
        [flow.id, ['emails', 'bulk']],
        [apart.id, ['emails']],
      ]),
    );
  });

  it('without queues belong to the queues of the key that created them', async () => {
    const close = (flow: TestBatch, queues: string[]) =>
      fixture.run(command('batch.close', org, { batchId: flow.id, queues }));
    const flow = await TestBatch.create(fixture, org, [], ['emails']);
    await expect(close(flow, ['other'])).rejects.toMatchObject({ status: 403 });
    expect(await close(flow, ['emails'])).toEqual({ closed: true });
    const unscoped = await TestBatch.create(fixture, org, []);
    const message = 'This API key has no access to a batch without queues';
    await expect(close(unscoped, ['emails'])).rejects.toMatchObject({ status: 403, message });
  });

  it('are cancelled by an operation that keys of the same queues see', async () => {
    const flow = await TestBatch.create(fixture, org, []);
    await flow.add(1);
    await fixture.run(command('batch.cancel', org, { batchId: flow.id, queues: ['emails', 'bulk'] }));
    expect(await fixture.sql('SELECT queues FROM operations WHERE organization_id = $1', [org])).toEqual([
      { queues: ['emails', 'bulk'] },
    ]);
  });

  it('cancel their waiting jobs, and create on_complete when the running ones have ended', async () => {
    await batch.add(3);
    const [running] = await batch.claim(1);
    await batch.cancel();
    expect(await batch.row()).toMatchObject({ status: 'cancelled', ended: false });
    await expect(fixture.run(batch.addCommand([newJob()]))).rejects.toMatchObject({ status: 409 });
    const [operation] = await fixture.sql<{ id: string }>('SELECT id FROM operations WHERE organization_id = $1', [
      org,
    ]);
    const operations = new OperationsFixture(fixture, org);
    await operations.finish(operation!.id);
    expect(await batch.row()).toMatchObject({ status: 'cancelled', cancelled: 2, ended: false });
    await fixture.run(workerCommands(org).complete(running!));
    expect(await batch.row()).toMatchObject({ status: 'cancelled', succeeded: 1, cancelled: 2, ended: true });
    expect(await batch.fired()).toEqual(['on_complete']);
    expect(await batch.cancel()).toEqual({ cancelled: false });
  });

  it('have not succeeded when they were cancelled, also if all of their jobs complete', async () => {
    await batch.add(1);
    const [running] = await batch.claim(1);
    await batch.cancel();
    await fixture.run(workerCommands(org).complete(running!));
    expect(await batch.row()).toMatchObject({ status: 'cancelled', succeeded: 1, ended: true });
    expect(await batch.fired()).toEqual(['on_complete']);
  });

  it('cannot be cancelled when their last job ends meanwhile', async () => {
    const [id] = await batch.add(1);
    await batch.close();
    const client = await connect();
    try {
      await beginEnd(client, batch, id!);
      const cancelled = batch.cancel();
      await Promise.race([someoneWaits(), cancelled]);
      await client.query('COMMIT');
      await expect(cancelled).rejects.toMatchObject({ status: 409 });
    } finally {
      await client.end();
    }
    expect(await batch.row()).toMatchObject({ status: 'completed' });
  });

  it.each<[how: string, end: (job: { id: string }) => Promise<unknown>, counts: object, queue: string[]]>([
    [
      'is cancelled',
      ({ id }) => fixture.run(command('job.cancel', org, { jobId: id, queues: null })),
      { cancelled: 1 },
      [],
    ],
    [
      'is deleted with its queue',
      () => fixture.run(command('queue.delete', org, { queueName: 'emails', deleteJobs: true, issuedAt: null })),
      { cancelled: 1 },
      [],
    ],
    [
      'is deleted by an operation',
      async () => {
        const operations = new OperationsFixture(fixture, org);
        await operations.finish(await operations.create('job.delete', { filter: { queue_name: 'emails' } }));
      },
      { cancelled: 1 },
      [],
    ],
    [
      'dies with its lease',
      async () => {
        await batch.claim();
        await fixture.pass('1 hour');
        await fixture.maintenance.recoverExpiredLeases(100);
      },
      { failed: 1 },
      ['on_death'],
    ],
    [
      'expires',
      async ({ id }) => {
        await fixture.sql(`UPDATE job_queue SET expires_at = current_ts() - interval '1 second' WHERE job_id = $1`, [
          id,
        ]);
        await fixture.maintenance.expireJobs(100);
      },
      {},
      [],
    ],
  ])('complete when their last job %s', async (_how, end, counts, also) => {
    const [id] = await batch.add(1, { maxRetries: 0 });
    await batch.close();
    await end({ id: id! });
    const row = await batch.row();
    expect(row).toMatchObject({ status: 'completed', total: 1, succeeded: 0, ...counts });
    expect(Number(row.failed) + Number(row.cancelled)).toBe(1);
    expect((await batch.fired()).filter((name) => name !== 'on_death' || also.includes(name))).toEqual(
      ['on_complete', ...also].sort(),
    );
  });

  it('keep what they have counted when jobs are deleted that have ended', async () => {
    await batch.add(2);
    await batch.complete(1);
    await batch.die(1);
    await fixture.run(
      command('deadletter.purge', org, {
        jobIds: null,
        queueName: 'emails',
        olderThan: null,
        limit: 9,
        issuedAt: null,
      }),
    );
    await deleteQueue('emails');
    await batch.close();
    expect(await batch.row()).toMatchObject({ status: 'completed', succeeded: 1, failed: 1, cancelled: 0 });
  });

  it('complete once when their jobs end in many transactions at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const flow = await TestBatch.create(fixture, org);
      await flow.add(8);
      const jobs = await flow.claim(8);
      const { complete, fail } = workerCommands(org);
      // Each of these commands has its own transaction: rare kinds beside a group commit.
      const ends = jobs.map((job, i) => () => fixture.run(i % 2 === round % 2 ? complete(job) : fail(job, false)));
      await Promise.all([...ends.slice(0, 4).map((end) => end()), flow.close(), ...ends.slice(4).map((end) => end())]);
      expect(await flow.row()).toMatchObject({ status: 'completed', succeeded: 4, failed: 4 });
      expect(await flow.fired()).toEqual(['on_complete', 'on_death']);
    }
  });

  it.each([
    {
      how: 'that a join creates again while a member dies',
      prepare: async (flow: TestBatch) => void (await flow.add(1)),
      end: (flow: TestBatch) => flow.die(),
      other: (flow: TestBatch) => flow.add(1, { queueName: 'told' }),
    },
    {
      how: 'that a join creates again while the batch is closed',
      prepare: async (flow: TestBatch) => {
        await flow.add(1);
        await flow.complete();
      },
      end: (flow: TestBatch) => flow.close(),
      other: (flow: TestBatch) => flow.add(1, { queueName: 'told' }).catch(() => undefined),
    },
    {
      how: 'that is deleted with other members',
      prepare: async (flow: TestBatch) => {
        await flow.add(1);
        await flow.add(1, { queueName: 'told' });
      },
      end: (flow: TestBatch) => flow.die(),
      other: () => deleteQueue('told'),
    },
  ])('create callbacks in a queue $how: neither waits for the other', async ({ prepare, end, other }) => {
    const flow = new TestBatch(fixture, org);
    await flow.create(['on_complete', 'on_death'], null, { queueName: 'told' });
    await deleteQueue('told');
    await prepare(flow);
    const errors = fixture.errors.length;
    const client = await connect();
    try {
      await client.query('BEGIN');
      await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('batch:' || $1, 0))`, [flow.id]);
      const ended = end(flow);
      await untilLocked(fixture.superuser, 1);
      const others = other(flow);
      await untilLocked(fixture.superuser, 2);
      await client.query('COMMIT');
      await Promise.all([ended, others]);
    } finally {
      await client.end();
    }
    // A deadlock would be one, and the transaction would run again.
    expect(fixture.errors.slice(errors)).toEqual([]);
    expect(await flow.miscounts()).toEqual([]);
  });

  it('count in transactions that do not wait for each other, except for one that may end the last job', async () => {
    const [one, other] = await batch.add(2);
    await batch.close();
    // As if there were many more members.
    const total = (jobs: number) => fixture.sql('UPDATE batches SET total_jobs = $2 WHERE id = $1', [batch.id, jobs]);
    await total(9_500);
    const clients = await Promise.all([1, 2].map(() => connect()));
    const [first, last] = clients as [pg.Client, pg.Client];
    try {
      expect(await beginEnd(first, batch, one!)).toEqual([]);
      expect(await beginEnd(last, batch, other!)).toEqual([]);
      await last.query('ROLLBACK');

      await total(2);
      const ended = beginEnd(last, batch, other!);
      await Promise.race([someoneWaits(), ended]);
      await first.query('COMMIT');
      expect(await ended).toHaveLength(2);
      await last.query('COMMIT');
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
    expect(await batch.row()).toMatchObject({ status: 'completed', succeeded: 2 });
    expect(await batch.fired()).toEqual(['on_complete', 'on_success']);
  });

  it.each<[what: string, callbacks: BatchCallback[]]>([
    ['further ones', ['on_complete', 'on_death']],
    ['those of a batch that does nothing then', ['on_complete']],
  ])('of many jobs count dead letters beside other transactions: %s', async (_, callbacks) => {
    const flow = await TestBatch.create(fixture, org, callbacks);
    const [before, one, other] = await flow.add(3);
    await flow.close();
    await fixture.sql('UPDATE batches SET total_jobs = 9500 WHERE id = $1', [flow.id]);
    const clients = await Promise.all([1, 2].map(() => connect()));
    const [first, last] = clients as [pg.Client, pg.Client];
    try {
      await beginEnd(first, flow, before!, 'deadletter');
      await first.query('COMMIT');
      await beginEnd(first, flow, one!);
      expect(await beginEnd(last, flow, other!, 'deadletter')).toEqual([]);
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  });

  it.each<{
    what: string;
    jobs?: number;
    before?: 'completed';
    after?: 'deadletter' | 'completed' | null;
    slot?: number;
    fires?: number;
  }>([
    { what: 'the first dead letter', after: 'deadletter', fires: 1 },
    { what: 'a job that runs again', before: 'completed', after: null },
    { what: 'more than 500 jobs', jobs: 501 },
    { what: 'what ends beside 16 other transactions', slot: 16 },
  ])(
    'of many jobs count $what when no other transaction does',
    async ({ before = null, after = 'completed', ...more }) => {
      const { jobs = 1, slot, fires = 0 } = more;
      const [one] = await batch.add(1);
      const ids = await batch.add(jobs);
      await batch.close();
      await fixture.sql('UPDATE batches SET total_jobs = 9500 WHERE id = $1', [batch.id]);
      const clients = await Promise.all([1, 2].map(() => connect()));
      const [first, last] = clients as [pg.Client, pg.Client];
      try {
        await beginEnd(last, batch, ids, before);
        await last.query('COMMIT');
        await beginEnd(first, batch, one!);
        if (slot) await last.query(`SELECT set_config('app.counter_slot', $1, false)`, [String(slot)]);
        const counted = beginEnd(last, batch, ids, after);
        const waits = await Promise.race([someoneWaits().then(() => true), counted.then(() => false)]);
        await first.query('COMMIT');
        expect(waits).toBe(true);
        expect(await counted).toHaveLength(fires);
        await last.query('COMMIT');
      } finally {
        await Promise.all(clients.map((client) => client.end()));
      }
      const [succeeded, failed] = [after === 'completed' ? 1 + jobs : 1, after === 'deadletter' ? jobs : 0];
      expect(await batch.row()).toMatchObject({ succeeded, failed });
    },
  );

  it('let a transaction count alone that waits to share their lock while they are closed', async () => {
    const [jobId] = await batch.add(1);
    const clients = await Promise.all([1, 2].map(() => connect()));
    const [closes, ends] = clients as [pg.Client, pg.Client];
    try {
      await closes.query('BEGIN');
      await closes.query(`SELECT pg_advisory_xact_lock(hashtextextended('batch:' || $1, 0))`, [batch.id]);
      const ended = beginEnd(ends, batch, jobId!);
      await Promise.race([someoneWaits(), ended]);
      // The outcome of the job is written before the wait, so that the lock is held briefly.
      const free = await fixture.sql('SELECT FROM batch_jobs WHERE job_id = $1 FOR UPDATE SKIP LOCKED', [jobId]);
      expect(free).toEqual([]);
      await closes.query(`UPDATE batches SET status = 'closed' WHERE id = $1`, [batch.id]);
      await closes.query('COMMIT');
      expect(await ended).toHaveLength(2);
      await ends.query('COMMIT');
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
    expect(await batch.row()).toMatchObject({ status: 'completed', succeeded: 1 });
    expect(await batch.fired()).toEqual(['on_complete', 'on_success']);
  });
});

/** Ends jobs of a batch in a transaction that stays open. @returns the callbacks that it has created */
async function beginEnd(
  client: pg.Client,
  batch: TestBatch,
  id: string | string[],
  outcome: 'completed' | 'deadletter' | null = 'completed',
): Promise<object[]> {
  const ids = [id].flat();
  await client.query('BEGIN');
  await client.query('UPDATE jobs SET outcome = $2 WHERE id = ANY ($1)', [ids, outcome]);
  const { rows } = await client.query<{ callbacks: object[] }>(
    `SELECT settle_batches_v1($1, $2, ARRAY[$3::uuid]) -> 'callbacks' AS callbacks`,
    [batch.org, ids, batch.id],
  );
  return rows[0]!.callbacks;
}

/** Holds statements of the system's role after their snapshot, where they ask for the time, until `goOn`. */
async function stopRetention(): Promise<AsyncDisposable & { goOn: () => Promise<void> }> {
  const client = await connect();
  const name = 'current_ts(timestamptz)';
  const [row] = await fixture.sql<{ text: string }>(`SELECT pg_get_functiondef('${name}'::regprocedure) AS text`);
  // Volatile, so that it is not called while the statement is planned.
  await fixture.sql(`CREATE OR REPLACE FUNCTION current_ts(at timestamptz DEFAULT now()) RETURNS timestamptz
    LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
      IF current_user = 'spooled_system' THEN
        PERFORM pg_advisory_lock_shared(4711);
      END IF;
      RETURN at;
    END $$`);
  await client.query('SELECT pg_advisory_lock(4711)');
  return {
    goOn: async () => void (await client.query('SELECT pg_advisory_unlock(4711)')),
    async [Symbol.asyncDispose]() {
      await client.end();
      await fixture.sql(row!.text);
    },
  };
}

/** Resolves once a transaction waits for another. */
function someoneWaits(): Promise<void> {
  return eventually(async () => {
    const rows = await fixture.sql(
      'SELECT FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0',
    );
    expect(rows).toHaveLength(1);
  });
}

async function connect(): Promise<pg.Client> {
  // A wait that nothing ends fails its test, long before that takes too long.
  const client = new pg.Client({ connectionString: fixture.database.superuserUrl, lock_timeout: 10_000 });
  await client.connect();
  return client;
}
