import { randomUUID } from 'node:crypto';
import { createTenant } from '@spooled/testing';
import { newQueue } from './job-steps.js';
import { aTime, anId, problem, RestCaller } from './rest-caller.js';
import { WorkflowSteps } from './workflow-steps.js';
import { useRestForEach } from './use-rest.js';

const { stack, tenant, rest } = useRestForEach();
let flows: WorkflowSteps;
let queue: string;

beforeEach(() => {
  flows = new WorkflowSteps(rest);
  queue = flows.queue;
});

const reason = expect.any(String) as unknown as string;

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
    const second = { ...common, id: b, key: 'b', job_type: 'b', payload: { n: 2 }, priority: 0 };
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
    const { id, jobs } = await flows.create([
      { key: 'a', payload: { x: 1 } },
      { key: 'b', depends_on: ['a'] },
    ]);
    await flows.claim();
    await flows.complete(jobs.a!, { ok: true });
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
    const other = await flows.create([{ key: 'z' }]);
    for (const job of [other.jobs.z, randomUUID(), 'nonsense']) {
      expect(problem(await rest.get(`/workflows/${id}/jobs/${job}`))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
  });

  it('is listed by status, newest first, in pages', async () => {
    const first = await flows.create([{ key: 'a' }]);
    const second = await flows.create([{ key: 'a', queue_name: newQueue() }]);
    const third = await flows.create([{ key: 'a', queue_name: newQueue() }]);
    await rest.post(`/workflows/${third.id}/cancel`);
    const idsOf = async (query: string) =>
      (await rest.get(`/workflows?${query}`)).body.map(({ id }: { id: string }) => id);
    expect(await idsOf('')).toEqual([third.id, second.id, first.id]);
    expect(await idsOf('status=nonsense&limit=1&offset=1')).toEqual([second.id]);
    await flows.claim();
    expect(await idsOf('status=running')).toEqual([first.id]);
    expect(await idsOf('status=pending')).toEqual([second.id]);
    expect(await idsOf('status=cancelled')).toEqual([third.id]);
    await flows.complete(first.jobs.a!);
    expect(await idsOf('status=completed')).toEqual([first.id]);
    expect((await rest.get(`/workflows/${first.id}`)).body).toMatchObject({
      status: 'completed',
      completed_jobs: 1,
      progress_percent: 100,
      started_at: aTime,
      completed_at: aTime,
    });
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

  it('requires a key for all of its queues', async () => {
    const other = newQueue();
    const own = new RestCaller(stack.baseUrl, await tenant.keyFor(queue));
    const { id } = await flows.create([{ key: 'a' }, { key: 'b', queue_name: other }]);
    const visible = await flows.create([{ key: 'a' }]);
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
});
