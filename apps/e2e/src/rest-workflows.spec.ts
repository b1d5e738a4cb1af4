import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTenant, eventually, needsRedis, type Stack, startStack, type TestTenant } from '@spooled/testing';
import { JobSteps, newQueue } from './job-steps.js';
import { aTime, anId, problem, RestCaller } from './rest-caller.js';

let stack: Stack;
let tenant: TestTenant;
let rest: RestCaller;
let steps: JobSteps;
let queue: string;

beforeAll(async () => {
  stack = await startStack({ schedulers: 0, webhooks: 0, realtime: 0 });
}, 60_000);

beforeEach(async () => {
  tenant = await createTenant(stack.databaseUrls.superuserUrl);
  rest = new RestCaller(stack.baseUrl, tenant.key);
  steps = new JobSteps(rest);
  queue = newQueue();
});

afterAll(() => stack?.stop());

const reason = expect.any(String) as unknown as string;

/** Creates a workflow. @returns its id and the ids of its jobs by key */
async function create(jobs: object[], more: object = {}): Promise<{ id: string; jobs: Record<string, string> }> {
  const body = { name: 'flow', jobs: jobs.map((job) => ({ queue_name: queue, payload: {}, ...job })), ...more };
  const { status, body: created } = await rest.post('/workflows', body);
  expect({ status, created }).toMatchObject({ status: 200, created: { status: 'pending' } });
  const entries = created.job_ids.map(({ key, job_id }: { key: string; job_id: string }) => [key, job_id]);
  return { id: created.workflow_id, jobs: Object.fromEntries(entries) as Record<string, string> };
}

const claimed = async () => (await steps.claim(queue, { limit: 100 })).map(({ id }) => id!);
const complete = (id: string, result: unknown = null) => rest.post(`/jobs/${id}/complete`, { worker_id: 'w1', result });
const fail = (id: string) => rest.post(`/jobs/${id}/fail`, { worker_id: 'w1', error: 'broken' });

/** A worker whose jobs take 100 ms each. */
async function work(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const [job] = await steps.claim(queue);
    await sleep(job ? 100 : 20);
    if (job) await complete(job.id!);
  }
}

const diamond = [
  { key: 'end', depends_on: ['left', 'right'] },
  { key: 'left', depends_on: ['top'] },
  { key: 'right', depends_on: ['top'] },
  { key: 'top' },
];

describe('a workflow', () => {
  it('SP-01 SP-49 is created, listed and read with every field name that SDKs use', async () => {
    const job = { priority: 3, max_retries: 1, timeout_seconds: 60, tags: { team: 'x' } };
    const jobs = [
      { key: 'b', queue_name: queue, payload: { n: 2 }, depends_on: ['a', 'a'], dependency_mode: 'any' },
      { key: 'a', queue_name: queue, payload: { job_type: 'first', camelCase: 1 }, ...job },
    ];
    const body = { name: 'Nightly: run (1)', description: 'all of it', metadata: { camelCase: [1] }, jobs };
    const created = await rest.post('/workflows', body);
    expect([created.status, created.body]).toEqual([
      200,
      {
        workflow_id: anId,
        job_ids: [
          { key: 'b', job_id: anId },
          { key: 'a', job_id: anId },
        ],
        status: 'pending',
      },
    ]);
    const { workflow_id: id, job_ids } = created.body;
    const [b, a] = job_ids.map(({ job_id }: { job_id: string }) => job_id);
    const workflow = {
      id,
      name: body.name,
      description: body.description,
      status: 'pending',
      total_jobs: 2,
      completed_jobs: 0,
      failed_jobs: 0,
      progress_percent: 0,
      created_at: aTime,
      started_at: null,
      completed_at: null,
      metadata: body.metadata,
    };
    const listed = await rest.get('/workflows');
    expect([listed.status, listed.body]).toEqual([200, [workflow]]);
    const common = {
      organization_id: tenant.organizationId,
      workflow_id: id,
      queue,
      queue_name: queue,
      result: null,
      status: 'pending',
      attempt: 0,
      backoff_type: 'exponential',
      created_at: aTime,
      scheduled_at: null,
      started_at: null,
      completed_at: null,
      failed_at: null,
      next_retry_at: null,
      error: null,
      parent_job_id: null,
    };
    const first = { ...common, id: a, key: 'a', job_type: 'first', payload: jobs[1]!.payload, priority: 3 };
    const second = { ...common, id: b, key: 'b', job_type: '', payload: { n: 2 }, priority: 0 };
    const detail = await rest.get(`/workflows/${id}`);
    expect([detail.status, detail.body]).toEqual([
      200,
      {
        ...workflow,
        organization_id: tenant.organizationId,
        jobs: [
          {
            ...first,
            max_retries: 1,
            timeout_ms: 60_000,
            metadata: { team: 'x' },
            depends_on: [],
            dependency_mode: 'all',
          },
          { ...second, max_retries: 3, timeout_ms: 300_000, metadata: null, depends_on: ['a'], dependency_mode: 'any' },
        ],
        dependencies: [{ parent_job_id: a, child_job_id: b, dependency_type: 'success' }],
        progress: { total: 2, completed: 0, failed: 0, pending: 2, processing: 0 },
      },
    ]);
    expect((await rest.get(`/jobs/${b}`)).body).toMatchObject({
      workflow_id: id,
      dependency_mode: 'any',
      dependencies_met: false,
      status: 'pending',
    });
  });

  it('SP-01 BX-05 SP-49 lists its jobs by the additional routes that SDKs call', async () => {
    const { id, jobs } = await create([
      { key: 'a', payload: { x: 1 } },
      { key: 'b', depends_on: ['a'] },
    ]);
    await claimed();
    await complete(jobs.a!, { ok: true });
    const common = {
      workflow_id: id,
      queue_name: queue,
      error: null,
      dependency_mode: 'all',
      priority: 0,
      max_retries: 3,
      attempt: 0,
      timeout_seconds: 300,
      created_at: aTime,
    };
    const done = { status: 'completed', result: { ok: true }, started_at: aTime, completed_at: aTime };
    const a = { ...common, id: jobs.a, key: 'a', payload: { x: 1 }, depends_on: [], ...done };
    const open = { status: 'pending', result: null, started_at: null, completed_at: null };
    const b = { ...common, id: jobs.b, key: 'b', payload: {}, depends_on: ['a'], ...open };
    const all = await rest.get(`/workflows/${id}/jobs`);
    expect([all.status, all.body]).toEqual([200, [a, b]]);
    const statuses = await rest.get(`/workflows/${id}/jobs/status`);
    expect([statuses.status, statuses.body]).toEqual([
      200,
      [
        { job_id: jobs.a, key: 'a', status: 'completed', progress: null, depends_on: [] },
        { job_id: jobs.b, key: 'b', status: 'pending', progress: null, depends_on: ['a'] },
      ],
    ]);
    const one = await rest.get(`/workflows/${id}/jobs/${jobs.b}`);
    expect([one.status, one.body]).toEqual([200, b]);
    const other = await create([{ key: 'z' }]);
    for (const job of [other.jobs.z, randomUUID(), 'nonsense']) {
      expect(problem(await rest.get(`/workflows/${id}/jobs/${job}`))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
  });

  it('is listed by status, newest first, in pages', async () => {
    const first = await create([{ key: 'a' }]);
    const second = await create([{ key: 'a', queue_name: newQueue() }]);
    const third = await create([{ key: 'a', queue_name: newQueue() }]);
    await rest.post(`/workflows/${third.id}/cancel`);
    const idsOf = async (query: string) =>
      (await rest.get(`/workflows?${query}`)).body.map(({ id }: { id: string }) => id);
    expect(await idsOf('')).toEqual([third.id, second.id, first.id]);
    expect(await idsOf('status=nonsense&limit=1&offset=1')).toEqual([second.id]);
    await claimed();
    expect(await idsOf('status=running')).toEqual([first.id]);
    expect(await idsOf('status=pending')).toEqual([second.id]);
    expect(await idsOf('status=cancelled')).toEqual([third.id]);
    await complete(first.jobs.a!);
    expect(await idsOf('status=completed')).toEqual([first.id]);
    expect((await rest.get(`/workflows/${first.id}`)).body).toMatchObject({
      status: 'completed',
      completed_jobs: 1,
      progress_percent: 100,
      started_at: aTime,
      completed_at: aTime,
    });
  });

  it('SP-50 fails with a job, and a retry continues from there', async () => {
    const { id, jobs } = await create(diamond.map((job) => ({ ...job, max_retries: 0 })));
    const retry = () => rest.post(`/workflows/${id}/retry`);
    const early = await retry();
    expect([early.status, early.body]).toEqual([
      400,
      { code: 'BAD_REQUEST', message: expect.stringContaining('failed') as unknown as string },
    ]);
    await claimed();
    await complete(jobs.top!);
    await claimed();
    await complete(jobs.left!);
    await fail(jobs.right!);
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
    expect(await claimed()).toEqual([jobs.right]);
    await complete(jobs.right!);
    expect(await claimed()).toEqual([jobs.end]);
    await complete(jobs.end!);
    expect((await rest.get(`/workflows/${id}`)).body.status).toBe('completed');
  });

  it('is cancelled: waiting jobs are cancelled, running jobs finish', async () => {
    const { id, jobs } = await create(diamond);
    await claimed();
    const cancelled = await rest.post(`/workflows/${id}/cancel`, {});
    expect([cancelled.status, cancelled.body]).toMatchObject([200, { id, status: 'cancelled', completed_at: aTime }]);
    expect(await steps.statusOf(jobs.left!)).toBe('cancelled');
    expect((await complete(jobs.top!)).status).toBe(200);
    expect((await rest.get(`/workflows/${id}`)).body).toMatchObject({ status: 'cancelled', completed_jobs: 1 });
    expect((await rest.post(`/workflows/${id}/cancel`)).status).toBe(200);
    expect(problem(await rest.post(`/workflows/${id}/retry`))).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
    const done = await create([{ key: 'a' }]);
    await claimed();
    await complete(done.jobs.a!);
    expect(problem(await rest.post(`/workflows/${done.id}/cancel`))).toMatchObject({ status: 409, code: 'CONFLICT' });
  });

  it('rejects an invalid workflow with the reason', async () => {
    const send = (body: object) => rest.post('/workflows', body);
    const job = (key: string, more: object = {}) => ({ key, queue_name: queue, payload: {}, ...more });
    const flow = (...jobs: object[]) => ({ name: 'flow', jobs });
    for (const [body, message] of [
      [flow(job('a'), job('a')), 'Job key "a" is not unique'],
      [flow(job('a', { depends_on: ['b'] })), 'Job "a" depends on unknown job key "b"'],
      [
        flow(job('a', { depends_on: ['b'] }), job('b', { depends_on: ['a'] })),
        'The jobs depend on each other in a cycle: a, b',
      ],
    ] as const) {
      const response = await send(body);
      expect([response.status, response.body]).toEqual([400, { code: 'BAD_REQUEST', message }]);
    }
    const refusals: [object, number, string][] = [
      [{ jobs: [job('a')] }, 422, 'name'],
      [{ name: 'flow' }, 422, 'jobs'],
      [{ name: 'no/slash', jobs: [job('a')] }, 400, 'name'],
      [flow(), 400, 'jobs'],
      [flow(...Array.from({ length: 101 }, (_, i) => job(`k${i}`))), 400, 'jobs'],
      [flow(job('a b')), 400, 'jobs[0].key'],
      [flow(job('a', { queue_name: '' })), 400, 'jobs[0].queue_name'],
      [flow(job('a', { payload: null })), 422, 'jobs[0].payload'],
      [flow(job('a', { dependency_mode: 'some' })), 400, 'jobs[0].dependency_mode'],
    ];
    for (const [body, status, field] of refusals) {
      expect(problem(await send(body))).toMatchObject({
        status,
        code: 'VALIDATION_ERROR',
        details: { [field]: reason },
      });
    }
    expect((await send(flow(job('a', { payload: 'x'.repeat(1_100_000) })))).status).toBe(413);
    expect((await rest.get('/workflows')).body).toEqual([]);
    for (const path of ['', '/cancel', '/retry', '/jobs', '/jobs/status']) {
      for (const id of [randomUUID(), 'nonsense']) {
        const method = path === '/cancel' || path === '/retry' ? 'POST' : 'GET';
        expect(problem(await rest.send(method, `/workflows/${id}${path}`))).toMatchObject({
          status: 404,
          code: 'NOT_FOUND',
        });
      }
    }
  });

  it('depends on the plan, counts against its limits, and is rejected as a whole', async () => {
    const callerOn = async (plan: 'free' | 'starter', customLimits = {}) =>
      new RestCaller(stack.baseUrl, (await createTenant(stack.databaseUrls.superuserUrl, { plan, customLimits })).key);
    const flow = { name: 'flow', jobs: ['a', 'b', 'c'].map((key) => ({ key, queue_name: queue, payload: {} })) };
    const onFree = await (await callerOn('free')).post('/workflows', flow);
    expect([onFree.status, onFree.body]).toEqual([
      403,
      {
        code: 'FEATURE_DISABLED',
        message: reason,
        error: 'feature_disabled',
        feature: 'workflows',
        plan: 'free',
        upgrade_to: 'starter',
      },
    ]);
    const small = await callerOn('starter', { max_active_jobs: 7, max_workflows: 3 });
    for (const status of [200, 200, 429]) expect((await small.post('/workflows', flow)).status).toBe(status);
    expect((await small.get('/jobs')).body).toHaveLength(6);
    const tight = await callerOn('starter', { max_workflows: 1 });
    await tight.post('/workflows', flow);
    const full = await tight.post('/workflows', flow);
    expect([full.status, full.body]).toMatchObject([
      429,
      { code: 'QUOTA_EXCEEDED', error: 'limit_exceeded', resource: 'workflows', current: 1, limit: 1 },
    ]);
  });

  needsRedis('carries the messages').it('publishes its changes on its Redis channel', async () => {
    const received: string[] = [];
    const server = await stack.redis!.primaryOf(tenant.organizationId);
    const connection = server.connect();
    const monitor = await connection.monitor();
    monitor.on('monitor', (_time: string, [command = '', channel = '', move]: string[]) => {
      // In a cluster the channel has a hash tag in front.
      const name = channel.replace(/^\{.*?\}:/, '');
      if (/^s?publish$/i.test(command) && name.includes(':workflow:')) received.push(`${name} ${move}`);
    });
    try {
      const { id, jobs } = await create([{ key: 'a', max_retries: 0 }]);
      await claimed();
      await fail(jobs.a!);
      await rest.post(`/workflows/${id}/retry`);
      await rest.post(`/workflows/${id}/cancel`);
      const channel = `org:${tenant.organizationId}:workflow:${id}`;
      await eventually(() =>
        expect(received).toEqual(['created', 'retried', 'cancelled'].map((move) => `${channel} ${move}`)),
      );
    } finally {
      monitor.disconnect();
      connection.disconnect();
    }
  });

  it('requires a key for all of its queues', async () => {
    const other = newQueue();
    const own = new RestCaller(stack.baseUrl, await tenant.keyFor(queue));
    const { id } = await create([{ key: 'a' }, { key: 'b', queue_name: other }]);
    const visible = await create([{ key: 'a' }]);
    expect((await own.get('/workflows')).body).toMatchObject([{ id: visible.id }]);
    expect((await own.get(`/workflows/${visible.id}`)).status).toBe(200);
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/jobs'],
      ['POST', '/cancel'],
      ['POST', '/retry'],
    ] as const) {
      const response = await own.send(method, `/workflows/${id}${path}`);
      expect(problem(response)).toMatchObject({ status: 403, code: 'ACCESS_DENIED' });
    }
    const body = { name: 'flow', jobs: [{ key: 'a', queue_name: other, payload: {} }] };
    expect(problem(await own.post('/workflows', body))).toMatchObject({ status: 403, code: 'ACCESS_DENIED' });
  });

  it('SP-49 workers run a diamond of four jobs of 100 ms in order', async () => {
    const { id } = await create(diamond);
    const stop = new AbortController();
    const workers = [work(stop.signal), work(stop.signal)];
    try {
      const isCompleted = async () => expect((await rest.get(`/workflows/${id}`)).body.status).toBe('completed');
      await eventually(isCompleted, { timeoutMs: 15_000 });
    } finally {
      stop.abort();
      await Promise.all(workers);
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
    await claimed();
    await complete(a);
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
    await claimed();
    expect(problem(await add({ depends_on: [parent] }))).toMatchObject({ status: 409, code: 'CONFLICT' });
  });
});
