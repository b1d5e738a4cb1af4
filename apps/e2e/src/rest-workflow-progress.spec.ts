import { randomUUID } from 'node:crypto';
import { createTenant, eventually, monitorCommands, needsRedis } from '@spooled/testing';
import pg from 'pg';
import { aTime, problem, RestCaller } from './rest-caller.js';
import { WorkflowSteps } from './workflow-steps.js';
import { useRestForEach } from './use-rest.js';

const { stack, tenant, rest, jobs: steps } = useRestForEach();
let flows: WorkflowSteps;
let queue: string;

beforeEach(() => {
  flows = new WorkflowSteps(rest);
  queue = flows.queue;
});

interface FlowJob {
  key: string;
  status: string;
}

const reason = expect.any(String) as unknown as string;

const diamond = [
  { key: 'end', depends_on: ['left', 'right'] },
  { key: 'left', depends_on: ['top'] },
  { key: 'right', depends_on: ['top'] },
  { key: 'top' },
];

describe('a running workflow', () => {
  it('SP-49 says what a retry from a job would run again, and changes nothing', async () => {
    const { id, jobs } = await flows.create(diamond.map((job) => ({ ...job, max_retries: 0 })));
    const rerun = async (key: string) => (await rest.get(`/workflows/${id}/jobs/${jobs[key]}/rerun`)).body;
    expect(await rerun('top')).toEqual({ job_ids: [], problem: 'Job "top" is still in progress' });
    await flows.claim();
    await flows.complete(jobs.top!);
    await flows.claim();
    await flows.complete(jobs.left!);
    await flows.fail(jobs.right!);
    expect(await rerun('end')).toEqual({
      job_ids: [],
      problem: 'Job "end" waits for "right", which has not completed: retry from there',
    });
    expect(await rerun('left')).toEqual({ job_ids: [jobs.left], problem: null });
    const { job_ids: again } = await rerun('top');
    expect(again.sort()).toEqual(Object.values(jobs).sort());
    const statuses = async (): Promise<Record<string, string>> =>
      Object.fromEntries((await rest.get(`/workflows/${id}`)).body.jobs.map((job: FlowJob) => [job.key, job.status]));
    expect(await statuses()).toEqual({ top: 'completed', left: 'completed', right: 'deadletter', end: 'cancelled' });
    expect((await rest.post(`/workflows/${id}/retry`, { from_job: 'top' })).status).toBe(200);
    expect(await statuses()).toEqual({ top: 'pending', left: 'pending', right: 'pending', end: 'pending' });

    for (const [workflow, job] of [
      [id, randomUUID()],
      [randomUUID(), jobs.top],
      [id, 'top'],
    ]) {
      expect((await rest.get(`/workflows/${workflow}/jobs/${job}/rerun`)).status).toBe(404);
    }
    const other = new RestCaller(stack.baseUrl, (await createTenant(stack.databaseUrls.superuserUrl)).key);
    expect((await other.get(`/workflows/${id}/jobs/${jobs.top}/rerun`)).status).toBe(404);
    await rest.post(`/workflows/${id}/cancel`);
    expect(await rerun('top')).toEqual({ job_ids: [], problem: 'A cancelled workflow cannot be retried' });
  });

  it('SP-50 fails with a job, and a retry continues from there', async () => {
    const { id, jobs } = await flows.create(diamond.map((job) => ({ ...job, max_retries: 0 })));
    const retry = () => rest.post(`/workflows/${id}/retry`);
    const early = await retry();
    expect([early.status, early.body]).toEqual([
      400,
      { code: 'BAD_REQUEST', message: expect.stringContaining('failed') as unknown as string },
    ]);
    await flows.claim();
    await flows.complete(jobs.top!);
    await flows.claim();
    await flows.complete(jobs.left!);
    await flows.fail(jobs.right!);
    const failed = (await rest.get(`/workflows/${id}`)).body;
    expect(failed).toMatchObject({ status: 'failed', completed_jobs: 2, failed_jobs: 1, progress_percent: 50 });
    const failedJob = failed.jobs.find(({ key }: { key: string }) => key === 'right');
    expect(failedJob).toMatchObject({
      status: 'deadletter',
      failed_at: aTime,
      error: { type: 'JobError', message: 'broken', stack: null },
    });
    expect(await steps.statusOf(jobs.end!)).toBe('cancelled');

    const retried = await retry();
    expect([retried.status, retried.body]).toEqual([
      200,
      {
        id,
        name: 'flow',
        description: null,
        status: 'running',
        total_jobs: 4,
        completed_jobs: 2,
        failed_jobs: 0,
        progress_percent: 50,
        created_at: aTime,
        started_at: aTime,
        completed_at: null,
        metadata: null,
      },
    ]);
    expect(await flows.claim()).toEqual([jobs.right]);
    await flows.complete(jobs.right!);
    expect(await flows.claim()).toEqual([jobs.end]);
    await flows.complete(jobs.end!);
    expect((await rest.get(`/workflows/${id}`)).body.status).toBe('completed');
  });

  it('is cancelled: waiting jobs are cancelled, running jobs finish', async () => {
    const { id, jobs } = await flows.create(diamond);
    await flows.claim();
    const cancelled = await rest.post(`/workflows/${id}/cancel`, {});
    expect([cancelled.status, cancelled.body]).toMatchObject([200, { id, status: 'cancelled', completed_at: aTime }]);
    expect(await steps.statusOf(jobs.left!)).toBe('cancelled');
    expect((await flows.complete(jobs.top!)).status).toBe(200);
    expect((await rest.get(`/workflows/${id}`)).body).toMatchObject({ status: 'cancelled', completed_jobs: 1 });
    expect((await rest.post(`/workflows/${id}/cancel`)).status).toBe(200);
    expect(problem(await rest.post(`/workflows/${id}/retry`))).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
    const done = await flows.create([{ key: 'a' }]);
    await flows.claim();
    await flows.complete(done.jobs.a!);
    expect(problem(await rest.post(`/workflows/${done.id}/cancel`))).toMatchObject({ status: 409, code: 'CONFLICT' });
  });

  it('SP-85 BX-12 leaves its failed steps where the plan does not allow it any more, and says so', async () => {
    const small = await createTenant(stack.databaseUrls.superuserUrl, { plan: 'starter' });
    const caller = new RestCaller(stack.baseUrl, small.key);
    const flow = (name: string) => ({ name, jobs: [{ key: 'a', queue_name: queue, payload: {}, max_retries: 0 }] });
    const { body: dead } = await caller.post('/workflows', flow('dead'));
    const step = dead.job_ids[0].job_id as string;
    await caller.post('/jobs/claim', { queue_name: queue, worker_id: 'w1' });
    await caller.post(`/jobs/${step}/fail`, { worker_id: 'w1', error: 'broken' });
    await caller.post('/workflows', flow('running'));
    const superuser = new pg.Client({ connectionString: stack.databaseUrls.superuserUrl });
    await superuser.connect();
    const limits = { max_workflows: 1 };
    await superuser.query('UPDATE organizations SET custom_limits = $2 WHERE id = $1', [small.organizationId, limits]);
    await superuser.end();
    // A key that no process has cached with the earlier limits.
    const limited = new RestCaller(stack.baseUrl, await small.keyFor(queue));
    expect(await limited.post('/jobs/dlq/retry', { queue_name: queue })).toMatchObject({
      status: 200,
      body: { retried_count: 0, retried_jobs: [], skipped_jobs: [step] },
    });
    expect((await caller.get(`/jobs/${step}`)).body.status).toBe('deadletter');
  });

  needsRedis('carries the messages').it('publishes its changes on its Redis channel', async () => {
    const received: string[] = [];
    const server = await stack.redisOf(tenant.organizationId);
    const stop = await monitorCommands(server, ({ words: [command = '', channel = '', change] }) => {
      // In a cluster the channel has a hash tag in front.
      const name = channel.replace(/^\{.*?\}:/, '');
      if (/^s?publish$/i.test(command) && name.includes(':workflow:')) received.push(`${name} ${change}`);
    });
    try {
      const { id, jobs } = await flows.create([{ key: 'a', max_retries: 0 }]);
      await flows.claim();
      await flows.fail(jobs.a!);
      await rest.post(`/workflows/${id}/retry`);
      await rest.post(`/workflows/${id}/cancel`);
      const channel = `org:${tenant.organizationId}:workflow:${id}`;
      await eventually(() =>
        expect(received).toEqual(['created', 'retried', 'cancelled'].map((change) => `${channel} ${change}`)),
      );
    } finally {
      stop();
    }
  });
});

describe('dependencies between jobs', () => {
  it('SP-49 are added by every field name that SDKs use, and block the job', async () => {
    const [a, b, child] = [await steps.create({ queue_name: queue }), await steps.create(), await steps.create()];
    const add = (body: object) => rest.post(`/jobs/${child}/dependencies`, body);
    const edge = (parent: string) => ({ job_id: child, depends_on_job_id: parent, dependency_type: 'success' });
    const added = await add({ depends_on: [a, a, child] });
    expect([added.status, added.body]).toEqual([
      200,
      {
        job_id: child,
        success: true,
        dependencies_added: 1,
        added: 1,
        added_count: 1,
        dependencies_met: false,
        dependencies: [edge(a)],
      },
    ]);
    expect((await add({ dependency_job_ids: [a] })).body).toMatchObject({ added: 0, dependencies: [] });
    const any = await add({ depends_on_job_ids: [b], dependency_type: 'any' });
    expect(any.body).toMatchObject({ added: 1, dependencies_met: false, dependencies: [edge(b)] });
    expect((await rest.get(`/jobs/${child}/dependencies`)).body).toMatchObject({
      dependency_mode: 'any',
      dependencies_met: false,
      dependencies: [{ job_id: a }, { job_id: b }],
    });
    await flows.claim();
    await flows.complete(a);
    expect((await rest.get(`/jobs/${child}`)).body).toMatchObject({ status: 'pending', dependencies_met: true });
  });

  it('skips a dependency that would create a cycle', async () => {
    const [a, b, c] = [await steps.create(), await steps.create(), await steps.create()];
    const add = (job: string, parent: string) => rest.post(`/jobs/${job}/dependencies`, { depends_on: [parent] });
    expect((await add(b, a)).body.added).toBe(1);
    expect((await add(c, b)).body.added).toBe(1);
    const closing = await add(a, c);
    expect([closing.status, closing.body]).toMatchObject([200, { added: 0, dependencies_met: true }]);
  });

  it('SP-50 a job that depends on a dead letter is cancelled, and is pending again when the dead letter is retried', async () => {
    const [dead, child] = [await steps.createDeadLetter(queue), await steps.create()];
    const added = await rest.post(`/jobs/${child}/dependencies`, { depends_on: [dead] });
    expect([added.status, added.body]).toMatchObject([200, { added: 1, dependencies_met: false }]);
    expect(await steps.statusOf(child)).toBe('cancelled');
    await rest.post('/jobs/dlq/retry', { job_ids: [dead] });
    expect((await rest.get(`/jobs/${child}`)).body).toMatchObject({ status: 'pending', dependencies_met: false });
  });

  it('rejects unknown jobs, running jobs and invalid lists', async () => {
    const [job, parent] = [await steps.create({ queue_name: queue }), await steps.create()];
    const add = (body: object, id = job) => rest.post(`/jobs/${id}/dependencies`, body);
    for (const missing of [randomUUID(), 'nonsense']) {
      expect(problem(await add({ depends_on: [parent, missing] }))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
      expect(problem(await add({ depends_on: [parent] }, missing))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
    const details = { depends_on: reason };
    expect(problem(await add({}))).toEqual({ status: 422, code: 'VALIDATION_ERROR', details });
    expect(problem(await add({ depends_on: [] }))).toEqual({ status: 400, code: 'VALIDATION_ERROR', details });
    const many = Array.from({ length: 101 }, () => parent);
    expect(problem(await add({ depends_on: many }))).toEqual({ status: 400, code: 'VALIDATION_ERROR', details });
    const own = new RestCaller(stack.baseUrl, await tenant.keyFor(queue));
    expect((await own.post(`/jobs/${job}/dependencies`, { depends_on: [parent] })).status).toBe(404);
    await flows.claim();
    expect(problem(await add({ depends_on: [parent] }))).toMatchObject({ status: 409, code: 'CONFLICT' });
  });
});
