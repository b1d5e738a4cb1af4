import { countJobs } from '@spooled/data-access';
import { command, newJob, unlimited, untilLocked } from '@spooled/testing';
import pg from 'pg';
import { useEngine } from '../testing/job-lifecycle.fixture.js';
import { TestWorkflow } from '../testing/workflow-steps.fixture.js';

const diamond = { top: {}, left: { on: ['top'] }, right: { on: ['top'] }, end: { on: ['left', 'right'] } };

const fixture = useEngine();
let org: string;
beforeEach(async () => void (org = await fixture.organization()));

describe('the retry of a workflow from one job', () => {
  it('SP-49 runs it and all that depend on it again, and keeps the results of the others', async () => {
    const flow = await TestWorkflow.create(fixture, org, diamond);
    const run = async (...keys: string[]) => {
      expect((await flow.claim()).keys).toEqual(keys);
      for (const key of keys) await flow.complete(key);
    };
    await run('top');
    await run('left', 'right');
    await run('end');
    const before = await flow.row();
    expect(await flow.retry('left')).toEqual({ requeuedJobs: 2 });
    expect(await flow.statuses()).toEqual({ top: 'completed', left: 'pending', right: 'completed', end: 'pending' });
    expect(await flow.row()).toMatchObject({ status: 'running', completed_at: null, completed_jobs: 2 });
    await expect(flow.retry('left')).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
    await run('left');
    await expect(flow.retry('top')).rejects.toMatchObject({
      status: 409,
      message: 'Job "end" depends on "top" and is still in progress',
    });
    await run('end');
    const after = await flow.row();
    expect(after).toMatchObject({ status: 'completed', completed_jobs: 4, started_at: before.started_at });
    // By id, and of a workflow that failed.
    expect(await flow.retry(flow.ids.end)).toEqual({ requeuedJobs: 1 });
    await flow.claim();
    await flow.fail('end');
    expect(await flow.status()).toBe('failed');
    expect(await flow.retry('right')).toEqual({ requeuedJobs: 2 });
    expect(await flow.statuses()).toEqual({ top: 'completed', left: 'completed', right: 'pending', end: 'pending' });
  });

  it('SP-49 needs one completed parent of a job that waited for any', async () => {
    const flow = await TestWorkflow.create(fixture, org, { a: {}, b: {}, last: { on: ['a', 'b'], any: true } });
    await flow.claim();
    await flow.complete('a');
    await flow.fail('b');
    await flow.claim();
    await flow.complete('last');
    expect(await flow.retry('last')).toEqual({ requeuedJobs: 1 });
  });

  it('counts each job once', async () => {
    const flow = await TestWorkflow.create(fixture, org, { a: {}, b: { on: ['a'] } });
    const counts = async () => {
      const { completed, cancelled, pending } = await fixture.db.withTenant(org, (tx) =>
        tx.one(countJobs, { queues: null }),
      );
      return { completed, cancelled, pending };
    };
    await flow.claim();
    await flow.fail('a');
    expect(await counts()).toEqual({ completed: 0, cancelled: 1, pending: 0 });
    await flow.retry();
    expect(await counts()).toEqual({ completed: 0, cancelled: 0, pending: 2 });
    for (const key of ['a', 'b']) {
      await flow.claim();
      await flow.complete(key);
    }
    await flow.retry('b');
    expect(await counts()).toEqual({ completed: 1, cancelled: 0, pending: 1 });
    await flow.claim();
    await flow.complete('b');
    expect(await counts()).toEqual({ completed: 2, cancelled: 0, pending: 0 });
  });

  it('BX-14 keeps the attempts from before it in the history', async () => {
    const flow = await TestWorkflow.create(fixture, org, { only: {} });
    const history = () =>
      fixture.sql<{ id: string; event: string; worker_id: string | null; attempt: number | null }>(
        'SELECT id, event, worker_id, attempt FROM list_job_history_v1($1, $2, NULL, true, 100, 0)',
        [org, flow.ids.only],
      );
    await flow.claim();
    await flow.complete('only');
    const before = await history();
    await flow.retry('only');
    await flow.claim();
    const between = await history();
    expect(between.slice(0, 3)).toEqual(before);
    await flow.complete('only');
    const after = await history();
    expect(after.map(({ event, worker_id, attempt }) => [event, worker_id, attempt])).toEqual([
      ['created', null, null],
      ['claimed', 'w1', 1],
      ['completed', 'w1', 1],
      ['retried', null, null],
      ['claimed', 'w1', 1],
      ['completed', 'w1', 1],
    ]);
    expect(after.slice(0, 3)).toEqual(before);
    expect(new Set(after.map(({ id }) => id)).size).toBe(6);
  });

  it('SP-49 counts each job once against the quota, also where all are named', async () => {
    const flow = await TestWorkflow.create(fixture, org, diamond);
    await flow.claim();
    await flow.fail('top');
    const retry = (maxActiveJobs: number) => {
      const quota = { ...unlimited, plan: 'starter', upgradeTo: 'pro', maxActiveJobs };
      return fixture.run(command('workflow.retry', org, { workflowId: flow.id, queues: null, quota }));
    };
    await expect(retry(3)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(await retry(4)).toEqual({ requeuedJobs: 4 });
  });

  it('SP-49 is refused for jobs of others, for cancelled workflows and beyond the quota', async () => {
    const flow = await TestWorkflow.create(fixture, org, { a: {}, b: { on: ['a'] } });
    const other = await TestWorkflow.create(fixture, org, { z: {} });
    const foreign = await TestWorkflow.create(fixture, await fixture.organization(), { y: {} });
    const problem = { status: 400, message: 'from_job: the workflow has no job with this key or id' };
    for (const from of [other.ids.z!, foreign.ids.y!, 'z', newJob().id]) {
      await expect(flow.retry(from)).rejects.toMatchObject(problem);
    }
    await flow.claim();
    await flow.fail('a');
    await expect(flow.retry('b')).rejects.toMatchObject({ status: 409, message: expect.stringContaining('"a"') });
    const quota = { ...unlimited, plan: 'starter', upgradeTo: 'pro', maxActiveJobs: 2 };
    const body = { workflowId: flow.id, queues: null, quota, fromJob: 'a' };
    await expect(fixture.run(command('workflow.retry', org, body))).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(await flow.statuses()).toEqual({ a: 'deadletter', b: 'cancelled' });
    const both = await Promise.allSettled([flow.retry('a'), flow.retry('a')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await flow.cancel();
    await expect(flow.retry('a')).rejects.toMatchObject({ status: 400, message: expect.stringContaining('cancelled') });
  });
});

describe('a cancellation and a retry of a workflow at the same time', () => {
  let holder: pg.Client;
  let flow: TestWorkflow;
  beforeAll(async () => {
    holder = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await holder.connect();
  });
  beforeEach(async () => {
    flow = await TestWorkflow.create(fixture, org, { done: {}, open: { queue: 'reports' } });
    await flow.claim();
    await flow.complete('done');
    await holder.query('BEGIN');
  });
  afterEach(() => holder.query('ROLLBACK'));
  afterAll(() => holder.end());

  /** The jobs of the workflow that may still run. */
  const live = async () => Object.entries(await flow.statuses()).filter(([, status]) => status === 'pending');

  it('leave no job that runs in a cancelled workflow, if the retry came first', async () => {
    // As a create under a plan with limits.
    await holder.query(`SELECT pg_advisory_xact_lock(hashtextextended('jobs:' || $1, 0))`, [org]);
    const retried = flow.retry('done');
    await untilLocked(fixture.superuser);
    const cancelled = flow.cancel();
    await Promise.race([cancelled, untilLocked(fixture.superuser, 2)]);
    await holder.query('COMMIT');
    expect([await retried, await cancelled]).toEqual([{ requeuedJobs: 1 }, { cancelledJobs: 2 }]);
    expect([await flow.status(), await live()]).toEqual(['cancelled', []]);
  });

  it('leave no job that runs in a cancelled workflow, if the cancellation came first', async () => {
    // As a claim that is about to find it.
    await holder.query('SELECT FROM job_queue WHERE job_id = $1 FOR UPDATE', [flow.ids.open]);
    const cancelled = flow.cancel();
    await untilLocked(fixture.superuser);
    const retried = flow.retry('done');
    await Promise.race([retried, untilLocked(fixture.superuser, 2)]);
    await holder.query('COMMIT');
    expect(await cancelled).toEqual({ cancelledJobs: 1 });
    await expect(retried).rejects.toMatchObject({ status: 400, message: expect.stringContaining('cancelled') });
    expect([await flow.status(), await live()]).toEqual(['cancelled', []]);
  });
});
