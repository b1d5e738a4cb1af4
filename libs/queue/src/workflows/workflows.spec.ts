import { claim, command, enqueue, newJob, unlimited, untilLocked } from '@spooled/testing';
import pg from 'pg';
import { OperationsFixture } from '../operations/operations.fixture.js';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';
import { TestWorkflow } from '../testing/workflow-steps.fixture.js';

const diamond = { top: {}, left: { on: ['top'] }, right: { on: ['top'] }, end: { on: ['left', 'right'] } };

describe('workflows on PostgreSQL', () => {
  const fixture = useEngine();
  let org: string;
  beforeEach(async () => void (org = await fixture.organization()));

  it('SP-49 runs a diamond step by step and ends with its last job', async () => {
    const flow = await TestWorkflow.create(fixture, org, diamond);
    expect(await flow.row()).toMatchObject({ status: 'pending', total_jobs: 4, metadata: { a: 1 } });
    expect(fixture.events(org).filter(({ type }) => type === 'JobCreated')).toHaveLength(4);
    expect((await flow.claim()).keys).toEqual(['top']);
    await flow.complete('top');
    expect(await flow.row()).toMatchObject({ status: 'running', completed_at: null });
    expect((await flow.claim()).keys).toEqual(['left', 'right']);
    await flow.complete('left');
    expect((await flow.claim()).keys).toEqual([]);
    await flow.complete('right');
    expect((await flow.claim()).keys).toEqual(['end']);
    await flow.complete('end');
    expect(await flow.row()).toMatchObject({ status: 'completed', completed_jobs: 4, failed_jobs: 0 });
    const { started_at, completed_at } = await flow.row();
    expect(Number(completed_at)).toBeGreaterThanOrEqual(Number(started_at));
    const told = fixture.events(org).flatMap(({ type }) => (type.startsWith('Workflow') ? [type] : []));
    expect(told).toEqual(['WorkflowStarted', 'WorkflowCompleted']);
  });

  describe('while the transaction of another caller is open', () => {
    let holder: pg.Client;
    beforeAll(async () => {
      holder = new pg.Client({ connectionString: fixture.database.superuserUrl });
      await holder.connect();
    });
    beforeEach(() => holder.query('BEGIN'));
    afterEach(() => holder.query('ROLLBACK'));
    afterAll(() => holder.end());
    const hold = (flow: TestWorkflow) => holder.query('SELECT FROM workflows WHERE id = $1 FOR UPDATE', [flow.id]);
    /** As the transaction that ends a job and holds its workflow. */
    const complete = async (id: string) => {
      const [{ now } = { now: '' }] = await fixture.sql<{ now: string }>('SELECT clock_timestamp()::text AS now');
      await holder.query(
        `WITH live AS (DELETE FROM job_queue WHERE job_id = $1)
         UPDATE jobs SET outcome = 'completed', completed_at = $2 WHERE id = $1`,
        [id, now],
      );
    };

    it('a workflow does not end before the job that its last one waited for', async () => {
      const flow = await TestWorkflow.create(fixture, org, { first: {}, last: {} });
      await flow.claim();
      await hold(flow);
      const ended = flow.complete('last');
      await untilLocked(fixture.superuser);
      await complete(flow.ids.first!);
      await holder.query('COMMIT');
      await ended;
      const order = `SELECT w.status, w.completed_at > max(j.completed_at) AS ended_last
        FROM workflows w JOIN jobs j ON j.workflow_id = w.id WHERE w.id = $1 GROUP BY w.id`;
      expect(await fixture.sql(order, [flow.id])).toEqual([{ status: 'completed', ended_last: true }]);
    });

    it('a workflow that ends while it is cancelled has ended', async () => {
      const flow = await TestWorkflow.create(fixture, org, { only: {} });
      await flow.claim();
      await hold(flow);
      const cancelled = flow.cancel();
      await untilLocked(fixture.superuser);
      await complete(flow.ids.only!);
      await holder.query(`UPDATE workflows SET status = 'completed' WHERE id = $1`, [flow.id]);
      await holder.query('COMMIT');
      expect(await cancelled).toEqual({ cancelledJobs: 0 });
      expect(await flow.status()).toBe('completed');
    });

    it('the jobs of another workflow end', async () => {
      const [held, flow] = [
        await TestWorkflow.create(fixture, org, { a: { queue: 'mail' } }),
        await TestWorkflow.create(fixture, org, { a: {} }),
      ];
      await flow.claim();
      await hold(held);
      await flow.complete('a');
      expect(await flow.status()).toBe('completed');
    });
  });

  it('SP-49 a workflow began with the first of its jobs that did, whichever ends first', async () => {
    const flow = await TestWorkflow.create(fixture, org, { slow: {}, fast: { queue: 'mail' } });
    await flow.claim();
    await flow.claim(1, 'mail');
    await flow.complete('fast');
    const began = `SELECT w.started_at = j.started_at AS first FROM workflows w, job_records j WHERE w.id = $1 AND j.id = $2`;
    expect(await fixture.sql(began, [flow.id, flow.ids.slow])).toEqual([{ first: true }]);
    await flow.complete('slow');
    expect(await fixture.sql(began, [flow.id, flow.ids.slow])).toEqual([{ first: true }]);
  });

  it('BX-25 sends an event when a workflow starts, and when it completes, fails or is retried', async () => {
    const changes = () =>
      fixture
        .events(org)
        .flatMap(({ type, data }) =>
          'workflow_id' in data ? [[type, data.status, data.completed_jobs, data.failed_jobs]] : [],
        );
    const flow = await TestWorkflow.create(fixture, org, { first: {}, last: { on: ['first'] } });
    await flow.claim();
    expect(changes()).toEqual([]);
    await flow.complete('first');
    expect(changes()).toEqual([['WorkflowStarted', 'running', 1, 0]]);
    await flow.claim();
    await flow.complete('last');
    expect(changes().slice(1)).toEqual([['WorkflowCompleted', 'completed', 2, 0]]);
    const failing = await TestWorkflow.create(fixture, org, { only: {} });
    await failing.claim();
    await fixture.run(failing.failure('only'));
    expect(changes().slice(2)).toEqual([
      ['WorkflowStarted', 'running', 0, 1],
      ['WorkflowFailed', 'failed', 0, 1],
    ]);
    await fixture.run(command('workflow.retry', org, { workflowId: failing.id, queues: null, quota: unlimited }));
    expect(changes().slice(4)).toEqual([['WorkflowStarted', 'running', 0, 0]]);
  });

  it('jobs of two workflows may end in concurrent transactions that each end many', async () => {
    const plan = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`s${i}`, {}]));
    const [one, two] = [await TestWorkflow.create(fixture, org, plan), await TestWorkflow.create(fixture, org, plan)];
    await one.claim();
    const all = Object.keys(plan);
    const batch = (part: number) =>
      all.filter((_, i) => i % 3 === part).flatMap((key) => [one.completion(key), two.failure(key)]);
    const outcomes = await Promise.all([0, 1, 2].map((part) => fixture.engine.execute(batch(part))));
    expect(outcomes.flat().every(({ ok }) => ok)).toBe(true);
    expect(fixture.errors).toEqual([]);
    expect([await one.status(), await two.status()]).toEqual(['completed', 'failed']);
  });

  it('`any` starts with the first completed parent despite the failure of another', async () => {
    const flow = await TestWorkflow.create(fixture, org, { a: {}, b: {}, first: { on: ['a', 'b'], any: true } });
    await flow.claim();
    await flow.fail('a');
    expect((await flow.statuses()).first).toBe('pending');
    await flow.complete('b');
    expect((await flow.claim()).keys).toEqual(['first']);
    await flow.complete('first');
    expect(await flow.row()).toMatchObject({ status: 'failed', completed_jobs: 2, failed_jobs: 1 });
  });

  it('SP-50 a failure cascades through any number of levels in its own transaction', async () => {
    const keys = Array.from({ length: 25 }, (_, i) => `s${i}`);
    const flow = await TestWorkflow.create(
      fixture,
      org,
      Object.fromEntries(keys.map((key, i) => [key, i === 0 ? {} : { on: [`s${i - 1}`] }])),
    );
    await flow.claim();
    await flow.fail('s0');
    expect(new Set(Object.values(await flow.statuses()))).toEqual(new Set(['deadletter', 'cancelled']));
    expect(await flow.row()).toMatchObject({ status: 'failed', failed_jobs: 1 });
    expect(await flow.retry()).toEqual({ requeuedJobs: 25 });
    expect((await flow.claim()).keys).toEqual(['s0']);
  });

  it('a retry keeps completed jobs, blocks dependent ones, and can complete', async () => {
    const flow = await TestWorkflow.create(fixture, org, diamond);
    await flow.claim();
    const problem = 'Only failed workflows can be retried: this one is pending';
    await expect(flow.retry()).rejects.toMatchObject({ status: 400, message: problem });
    await flow.complete('top');
    await flow.claim();
    await flow.complete('left');
    await flow.fail('right');
    expect(await flow.statuses()).toMatchObject({ right: 'deadletter', end: 'cancelled' });
    const both = await Promise.allSettled([flow.retry(), flow.retry()]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await flow.row()).toMatchObject({ status: 'running', completed_at: null });
    expect(await flow.statuses()).toEqual({ top: 'completed', left: 'completed', right: 'pending', end: 'pending' });
    expect((await flow.claim()).keys).toEqual(['right']);
    await flow.complete('right');
    await flow.claim();
    await flow.complete('end');
    expect(await flow.status()).toBe('completed');
  });

  it('a cancelled workflow lets processing jobs finish and starts no others', async () => {
    const flow = await TestWorkflow.create(fixture, org, diamond);
    await flow.claim();
    expect(await flow.cancel()).toEqual({ cancelledJobs: 3 });
    expect(await flow.status()).toBe('cancelled');
    expect(await flow.cancel()).toEqual({ cancelledJobs: 0 });
    await flow.complete('top');
    expect((await flow.claim()).keys).toEqual([]);
    expect(await flow.status()).toBe('cancelled');
    await expect(flow.retry()).rejects.toMatchObject({ status: 400 });
    const begun = await TestWorkflow.create(fixture, org, { first: {}, last: { on: ['first'] } });
    await begun.claim();
    await begun.complete('first');
    expect(await begun.cancel()).toEqual({ cancelledJobs: 1 });
    expect(await begun.status()).toBe('cancelled');
    const done = await TestWorkflow.create(fixture, org, { only: {} });
    await done.claim();
    await done.complete('only');
    const problem = 'Only pending and running workflows can be cancelled: this one has completed';
    await expect(done.cancel()).rejects.toMatchObject({ status: 409, code: 'CONFLICT', message: problem });
  });

  it('BX-01 is cancelled and retried by keys for all of its queues only, and by no other organization', async () => {
    const flow = await TestWorkflow.create(fixture, org, { a: {}, b: { queue: 'mail' } });
    const cancel = (queues: string[] | null, of = org) =>
      fixture.run(command('workflow.cancel', of, { workflowId: flow.id, queues }));
    const retry = (queues: string[] | null, of = org) =>
      fixture.run(command('workflow.retry', of, { workflowId: flow.id, queues, quota: unlimited }));
    const denied = { status: 403, message: 'This API key has no access to all queues of the workflow' };
    const other = await fixture.organization();
    for (const act of [cancel, retry]) {
      await expect(act(['emails'])).rejects.toMatchObject(denied);
      await expect(act(null, other)).rejects.toMatchObject({ status: 404, message: 'Workflow not found' });
    }
    expect(await cancel(['mail', 'other', 'emails'])).toEqual({ cancelledJobs: 2 });
  });

  it('BX-21 its watchers are told that it is created, retried and cancelled, and the last two are audited', async () => {
    fixture.effects.length = 0;
    const flow = await TestWorkflow.create(fixture, org, { a: {}, b: { on: ['a'], queue: 'mail' } });
    expect(fixture.effects.flatMap(({ wakeups }) => wakeups)).toEqual([{ organizationId: org, queueName: 'emails' }]);
    for (const from of [undefined, 'a']) {
      await flow.claim();
      await flow.fail('a');
      await flow.retry(from);
    }
    await flow.cancel();
    const changes = fixture.effects.flatMap(({ workflowChanges }) => workflowChanges);
    const of = { organizationId: org, workflowId: flow.id };
    expect(changes).toEqual(['created', 'retried', 'retried', 'cancelled'].map((change) => ({ ...of, change })));
    const audited = await fixture.sql(
      `SELECT action, target_id, before, after FROM audit_log WHERE organization_id = $1 AND target_kind = 'workflow' ORDER BY at, id`,
      [org],
    );
    const retried = { action: 'workflow.retried', target_id: flow.id, before: { status: 'failed' } };
    expect(audited).toEqual([
      { ...retried, after: { jobs: 2 } },
      { ...retried, after: { jobs: 2, from_job: 'a' } },
      {
        ...{ action: 'workflow.cancelled', target_id: flow.id },
        ...{ before: { status: 'running' }, after: { status: 'cancelled', jobs: 2 } },
      },
    ]);
  });

  it('keeps its description, and no metadata if it has none', async () => {
    const workflow = { id: newJob().id, name: 'nightly', description: 'each night', metadata: null };
    const jobs = [{ key: 'a', index: 0, job: newJob(), dependsOn: [], mode: 'all' as const }];
    const defaults = { maxRetries: 3, timeoutSeconds: 300 };
    const body = { workflow, jobs, quota: unlimited, maxWorkflows: null, defaults };
    expect(await fixture.run(command('workflow.create', org, body))).toEqual({ workflowId: workflow.id });
    const stored = await fixture.sql('SELECT name, description, metadata FROM workflows WHERE id = $1', [workflow.id]);
    expect(stored).toEqual([{ name: 'nightly', description: 'each night', metadata: null }]);
  });

  it('MQ-04 is refused as a whole when one of its jobs has no receiver, or has one of its own that its queue does not take', async () => {
    const create = (job: ReturnType<typeof newJob>) => {
      const step = { dependsOn: [], mode: 'all' as const };
      const jobs = [
        { ...step, key: 'a', index: 0, job: newJob() },
        // Its place among those that the caller has sent.
        { ...step, key: 'b', index: 2, job },
      ];
      const workflow = { id: newJob().id, name: 'flow', description: null, metadata: null };
      const defaults = { maxRetries: 3, timeoutSeconds: 300 };
      const body = { workflow, jobs, quota: unlimited, maxWorkflows: null, defaults };
      return fixture.run(command('workflow.create', org, body));
    };
    const refused = (problem: string) => {
      const details = { 'jobs[2].callback_url': expect.stringContaining(problem) as unknown };
      return expect.objectContaining({ status: 400, details }) as unknown;
    };
    const settings = '{"callback_url":"https://a.test"}';
    await expect(create(newJob({ settings }))).rejects.toEqual(refused('does not push its jobs'));
    await fixture.sql(
      `INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, 'pushed', '{"push":true}')`,
      [org],
    );
    await expect(create(newJob({ queueName: 'pushed' }))).rejects.toEqual(refused('each job needs one'));
    expect(await fixture.sql('SELECT FROM jobs WHERE organization_id = $1', [org])).toEqual([]);
  });

  it('is created atomically within the quota, and once under redelivery', async () => {
    const plan = { a: {}, b: { on: ['a'] } };
    const quota = { ...unlimited, plan: 'starter', upgradeTo: 'pro', maxActiveJobs: 3 };
    const flow = await TestWorkflow.create(fixture, org, plan, { quota, maxWorkflows: 2 });
    const again = command('workflow.create', org, flow.body(plan), { redelivered: true });
    expect(await fixture.run(again)).toEqual({ workflowId: flow.id });
    expect(fixture.events(org).filter(({ type }) => type === 'JobCreated')).toHaveLength(2);
    await expect(TestWorkflow.create(fixture, org, plan, { quota, maxWorkflows: 2 })).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
      extras: { resource: 'active_jobs', current: 2, limit: 3 },
    });
    const many = await Promise.allSettled(
      [1, 2, 3].map(() => TestWorkflow.create(fixture, org, { a: {} }, { maxWorkflows: 2 })),
    );
    expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(many.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'QUOTA_EXCEEDED', extras: { resource: 'workflows', current: 2, limit: 2 } },
    });
    expect(await fixture.sql('SELECT count(*)::int AS n FROM jobs WHERE organization_id = $1', [org])).toEqual([
      { n: 3 },
    ]);
  });

  it('SP-49 is created and ends beside other jobs and workflows, which stay as they are', async () => {
    await fixture.sql(
      `INSERT INTO outgoing_webhooks (organization_id, name, url, events) VALUES ($1, 'w', 'https://x.test', '{job.created}')`,
      [org],
    );
    const other = await TestWorkflow.create(fixture, org, {
      top: { queue: 'others' },
      b: { on: ['top'], queue: 'others' },
    });
    await other.claim(1, 'others');
    await other.complete('top');
    const [parent, done] = [newJob({ queueName: 'others' }), newJob({ queueName: 'ended' })];
    await fixture.run(enqueue(org, [parent, done]));
    await fixture.run(enqueue(org, [newJob({ queueName: 'others', parentJobId: parent.id })]));
    const { jobs } = await fixture.run(claim(org, { queueName: 'ended' }));
    await fixture.run(workerCommands(org).complete(jobs[0]!));
    const tables = ['jobs', 'job_queue', 'workflows', 'workflow_jobs', 'job_dependencies', 'webhook_deliveries'];
    const read = async () =>
      Promise.all(
        tables.map((table) =>
          fixture.sql<{ row: string }>(`SELECT t::text AS row FROM ${table} t WHERE organization_id = $1 ORDER BY 1`, [
            org,
          ]),
        ),
      );
    const before = await read();
    const flow = await TestWorkflow.create(fixture, org, {
      top: {},
      left: { on: ['top'], queue: 'mail' },
      end: { on: ['top', 'left'], any: true },
    });
    const stored = await fixture.sql(
      `SELECT m.key, j.dependency_mode AS mode, q.dependencies_met AS met, q.has_dependents AS needed, q.queue_name AS queue
       FROM workflow_jobs m JOIN jobs j ON j.id = m.job_id AND j.workflow_id = m.workflow_id JOIN job_queue q ON q.job_id = j.id
       WHERE m.workflow_id = $1 ORDER BY m.job_id`,
      [flow.id],
    );
    expect(stored).toEqual([
      { key: 'top', mode: 'all', met: true, needed: true, queue: 'emails' },
      { key: 'left', mode: 'all', met: false, needed: true, queue: 'mail' },
      { key: 'end', mode: 'any', met: false, needed: false, queue: 'emails' },
    ]);
    const { queue_names: queues, ...row } = await flow.row();
    expect([row, [...(queues as string[])].sort()]).toEqual([
      expect.objectContaining({ name: 'flow', total_jobs: 3, status: 'pending' }),
      ['emails', 'mail'],
    ]);
    await flow.claim();
    await flow.complete('top');
    await flow.claim(1, 'mail');
    await flow.fail('left');
    await flow.claim();
    await flow.complete('end');
    expect(await flow.row()).toMatchObject({ status: 'failed', completed_jobs: 2, failed_jobs: 1 });
    const after = await read();
    const added = after.map((rows, i) => rows.length - before[i]!.length);
    expect(added).toEqual([3, 0, 1, 3, 3, 3]);
    expect(after.flat().map(({ row }) => row)).toEqual(expect.arrayContaining(before.flat().map(({ row }) => row)));
    expect(await other.status()).toBe('running');
  });

  it('includes the workflow id in job.created deliveries', async () => {
    await fixture.sql(
      `INSERT INTO outgoing_webhooks (organization_id, name, url, events) VALUES ($1, 'w', 'https://x.test', '{job.created}')`,
      [org],
    );
    const flow = await TestWorkflow.create(fixture, org, { a: {} });
    const [{ id } = { id: '' }, ...others] = fixture.effects.at(-1)!.deliveries;
    expect(others).toEqual([]);
    expect(await fixture.sql('SELECT id, payload FROM webhook_deliveries WHERE organization_id = $1', [org])).toEqual([
      {
        id,
        payload: { job_id: flow.ids.a, queue_name: 'emails', priority: 0, status: 'pending', workflow_id: flow.id },
      },
    ]);
  });

  it('fails when a queue with its jobs is deleted', async () => {
    const flow = await TestWorkflow.create(fixture, org, { a: {}, b: { queue: 'other' } });
    await flow.claim();
    await flow.complete('a');
    await fixture.run(command('queue.delete', org, { queueName: 'other', deleteJobs: true, issuedAt: null }));
    expect(await flow.status()).toBe('failed');
  });

  const deleteQueue = (queueName: string) =>
    fixture.run(command('queue.delete', org, { queueName, deleteJobs: true, issuedAt: null }));
  const deleteInSteps = async (queueName: string) => {
    const [row] = await fixture.sql<{ now: string }>('SELECT clock_timestamp()::text AS now');
    const operations = new OperationsFixture(fixture, org);
    const filter = { queue_name: queueName, created_before: row!.now };
    await operations.finish(await operations.create('queue.delete', { filter }));
  };
  /** As retention does, which tells nobody. */
  const deleteRecords = (queueName: string) =>
    fixture.sql('DELETE FROM jobs WHERE organization_id = $1 AND queue_name = $2', [org, queueName]);

  describe.each([
    ['with their queue', deleteQueue],
    ['with their queue, in steps', deleteInSteps],
    ['by retention', deleteRecords],
  ])('counts completed jobs that are deleted %s', (_how, remove) => {
    it('when it has completed, also when it is retried from another', async () => {
      const flow = await TestWorkflow.create(fixture, org, { a: { queue: 'done' }, b: {} });
      await flow.claim(100, 'done');
      await flow.complete('a');
      await flow.claim();
      await flow.complete('b');
      await remove('done');
      expect(await flow.row()).toMatchObject({ status: 'completed', completed_jobs: 2 });
      await flow.retry('b');
      expect(await flow.row()).toMatchObject({ status: 'running', completed_jobs: 1 });
      await flow.claim();
      await flow.complete('b');
      expect(await flow.row()).toMatchObject({ status: 'completed', completed_jobs: 2 });
    });

    it('when it has failed and is retried', async () => {
      const flow = await TestWorkflow.create(fixture, org, { a: { queue: 'done' }, b: { on: ['a'] } });
      await flow.claim(100, 'done');
      await flow.complete('a');
      await flow.claim();
      await flow.fail('b');
      await remove('done');
      expect(await flow.row()).toMatchObject({ status: 'failed', completed_jobs: 1 });
      await flow.retry();
      await flow.claim();
      await flow.complete('b');
      expect(await flow.row()).toMatchObject({ status: 'completed', completed_jobs: 2 });
    });
  });

  it.each([
    ['at once', deleteQueue],
    ['in steps', deleteInSteps],
  ])('counts completed jobs whose queue is deleted %s while others run', async (_how, remove) => {
    const flow = await TestWorkflow.create(fixture, org, { a: { queue: 'done' }, b: {} });
    await flow.claim(100, 'done');
    await flow.complete('a');
    await remove('done');
    await flow.claim();
    await flow.complete('b');
    expect(await flow.row()).toMatchObject({ status: 'completed', completed_jobs: 2 });
  });

  it('a retry does not run what needs a job that failed and was purged', async () => {
    const purge = (jobIds: string[]) =>
      fixture.run(
        command('deadletter.purge', org, { jobIds, queueName: null, olderThan: null, limit: 10, issuedAt: null }),
      );
    const plan = {
      a: {},
      b: { on: ['a'] },
      c: { on: ['b'] },
      x: {},
      y: { on: ['a', 'x'], any: true },
      z: { on: ['a', 'x'] },
    };
    const flow = await TestWorkflow.create(fixture, org, plan);
    await flow.claim();
    // z is cancelled because of x alone.
    await flow.fail('x');
    await flow.fail('a');
    await purge([flow.ids.a!]);
    await expect(flow.retry('b')).rejects.toMatchObject({
      status: 409,
      message: 'Job "b" waits for "a", which has not completed',
    });
    expect(await flow.retry()).toEqual({ requeuedJobs: 2 });
    const { ids } = flow;
    const statusOf = async (key: string) => (await fixture.job(ids[key]!)).status;
    expect(await Promise.all(['b', 'c', 'x', 'y', 'z'].map(statusOf))).toEqual([
      'cancelled',
      'cancelled',
      'pending',
      'pending',
      'cancelled',
    ]);
    await flow.claim();
    await flow.fail('x');
    await fixture.run(command('job.retry', org, { jobId: ids.x!, queues: null, quota: unlimited }));
    for (const key of ['x', 'y']) {
      expect((await flow.claim()).keys).toEqual([key]);
      await flow.complete(key);
    }
    expect(await flow.row()).toMatchObject({ status: 'failed', completed_jobs: 2 });
    const problem = 'The failed workflow has no job left that could run again';
    await expect(flow.retry()).rejects.toMatchObject({ status: 400, message: problem });
  });

  it('retrying a single job resumes its workflow', async () => {
    const flow = await TestWorkflow.create(fixture, org, { a: {}, b: { on: ['a'] } });
    await flow.claim();
    await flow.fail('a');
    expect(await flow.status()).toBe('failed');
    await fixture.run(command('job.retry', org, { jobId: flow.ids.a!, queues: null, quota: unlimited }));
    expect(await flow.row()).toMatchObject({ status: 'running', completed_at: null });
    expect(await flow.statuses()).toEqual({ a: 'pending', b: 'pending' });
    await flow.claim();
    await flow.complete('a');
    expect((await flow.claim()).keys).toEqual(['b']);
  });

  it('SP-85 a bulk retry leaves dead steps while there are more workflows than the plan allows', async () => {
    const flows = [
      await TestWorkflow.create(fixture, org, { a: {} }),
      await TestWorkflow.create(fixture, org, { b: {} }),
    ];
    const single = newJob({ maxRetries: 0 });
    await fixture.run(enqueue(org, [single]));
    await fixture.run(claim(org, { limit: 10 }));
    await flows[0]!.fail('a');
    await fixture.run(workerCommands(org).fail(single, false));
    const retry = (maxWorkflows: number | null) => {
      const body = { jobIds: null, queueName: null, limit: 10, quota: unlimited, maxWorkflows };
      return fixture.run(command('deadletter.retry', org, body));
    };
    const step = flows[0]!.ids.a!;
    expect(await retry(1)).toEqual({ jobIds: [single.id], skippedIds: [step] });
    expect(await flows[0]!.status()).toBe('failed');
    expect(await retry(2)).toEqual({ jobIds: [step], skippedIds: [] });
    expect(await flows[0]!.status()).toBe('running');
  });
});
