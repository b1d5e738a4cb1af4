import { randomUUID } from 'node:crypto';
import { createTenant } from '@spooled/testing';
import { aTime, anId, problem, RestCaller } from './rest-caller.js';
import { useRest } from './use-rest.js';

const { stack, tenant, rest } = useRest();

const queue = () => `q-${randomUUID()}`;
const create = (queue_name: string, caller = rest) => caller.post('/jobs', { queue_name, payload: {} });
const claim = async (queue_name: string, caller = rest) =>
  (await caller.post('/jobs/claim', { queue_name, worker_id: 'w1' })).body.jobs;

describe('the settings of a queue', () => {
  it('are created, partly changed, and merged at the top level', async () => {
    const name = queue();
    const created = await rest.put(`/queues/${name}/config`, { max_retries: 9, settings: { a: { b: 1 }, keepMe: 1 } });
    expect([created.status, created.body]).toEqual([
      200,
      {
        id: anId,
        organization_id: tenant.organizationId,
        queue_name: name,
        max_retries: 9,
        default_timeout: 300,
        rate_limit: null,
        enabled: true,
        settings: { a: { b: 1 }, keepMe: 1 },
        created_at: aTime,
        updated_at: aTime,
      },
    ]);
    const alias = await rest.put(`/queues/${name}`, { queue_name: 'ignored', rate_limit: 5, settings: { a: 2 } });
    const changed = { ...created.body, rate_limit: 5, settings: { a: 2, keepMe: 1 }, updated_at: aTime };
    expect(alias.body).toEqual(changed);
    expect((await rest.get(`/queues/${name}`)).body).toEqual({ ...alias.body, pause: null, receiver: null });
  });

  it('give jobs their defaults', async () => {
    const name = queue();
    await rest.put(`/queues/${name}/config`, { max_retries: 9, default_timeout: 42 });
    const { body } = await create(name);
    expect((await rest.get(`/jobs/${body.id}`)).body).toMatchObject({ max_retries: 9, timeout_seconds: 42 });
  });

  it('have defaults for a queue that only has jobs, and are 404 for a queue without jobs', async () => {
    const name = queue();
    expect(problem(await rest.get(`/queues/${name}`))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    await create(name);
    expect((await rest.get(`/queues/${name}`)).body).toEqual({
      id: `implicit:${name}`,
      organization_id: tenant.organizationId,
      queue_name: name,
      max_retries: 3,
      default_timeout: 300,
      rate_limit: null,
      enabled: true,
      settings: { implicit: true },
      created_at: aTime,
      updated_at: aTime,
      pause: null,
      receiver: null,
    });
  });

  it('name the invalid field', async () => {
    const put = (body: unknown, name = queue()) => rest.put(`/queues/${encodeURIComponent(name)}/config`, body);
    expect(problem(await put({ max_retries: 101 }))).toMatchObject({ status: 400, details: { max_retries: reason } });
    expect(problem(await put({ rate_limit: 0 }))).toMatchObject({ status: 400, details: { rate_limit: reason } });
    expect(problem(await put({ enabled: 'no' }))).toMatchObject({ status: 422, details: { enabled: reason } });
    expect(problem(await put({ settings: [] }))).toMatchObject({ status: 422, details: { settings: reason } });
    expect(problem(await put({}, '.hidden'))).toMatchObject({ status: 400, details: { queue_name: reason } });
    expect(problem(await put('{'))).toMatchObject({ status: 400, code: 'INVALID_JSON' });
    const half = { settings: { half: 'x'.repeat(40_000) } };
    const name = queue();
    expect((await put(half, name)).status).toBe(200);
    const merged = await put({ settings: { other: 'x'.repeat(40_000) } }, name);
    expect(problem(merged)).toMatchObject({ status: 400, details: { settings: reason } });
    expect((await rest.get(`/queues/${name}`)).body.settings).toEqual(half.settings);
  });

  it('count against the plan unless the queue has jobs, also under concurrency', async () => {
    const { superuserUrl } = stack.databaseUrls;
    const capped = await createTenant(superuserUrl, { plan: 'free', customLimits: { max_queues: 2 } });
    const caller = new RestCaller(stack.baseUrl, capped.key);
    await create('known', caller);
    const names = Array.from({ length: 6 }, (_, i) => `new-${i}`);
    const responses = await Promise.all(names.map((name) => caller.put(`/queues/${name}/config`, {})));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.find(({ status }) => status === 429)?.body).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      resource: 'queues',
      current: 2,
      limit: 2,
      plan: 'free',
      upgrade_to: 'starter',
    });
    expect(await caller.put('/queues/known/config', {})).toMatchObject({ status: 200 });
  });
});

const reason = expect.any(String) as unknown as string;

describe('the list of queues', () => {
  it('contains configured queues and those with jobs, by name', async () => {
    const own = await createTenant(stack.databaseUrls.superuserUrl);
    const caller = new RestCaller(stack.baseUrl, own.key);
    await create('b-jobs', caller);
    await caller.put('/queues/c-configured/config', { enabled: false, rate_limit: 10 });
    await caller.put('/queues/a-both/config', { default_timeout: 1 });
    await create('a-both', caller);
    const plain = { max_retries: 3, default_timeout: 300, rate_limit: null, enabled: true };
    const { status, body } = await caller.get('/queues');
    expect([status, body]).toEqual([
      200,
      [
        { ...plain, queue_name: 'a-both', default_timeout: 1 },
        { ...plain, queue_name: 'b-jobs' },
        { ...plain, queue_name: 'c-configured', rate_limit: 10, enabled: false },
      ],
    ]);
    const scoped = new RestCaller(stack.baseUrl, await own.keyFor('b-jobs'));
    expect((await scoped.get('/queues')).body).toEqual([{ ...plain, queue_name: 'b-jobs' }]);
  });
});

describe('a paused queue', () => {
  it('accepts jobs but allows no claims, at once on every gateway, until it is resumed', async () => {
    const other = new RestCaller(stack.baseUrls[1]!, tenant.key);
    const name = queue();
    await create(name);
    const paused = await rest.post(`/queues/${name}/pause`, { reason: 'stock-taking' });
    expect([paused.status, paused.body]).toEqual([
      200,
      { queue_name: name, paused: true, paused_at: aTime, reason: 'stock-taking', expires_at: null },
    ]);
    expect(await claim(name, other)).toEqual([]);
    expect((await create(name, other)).status).toBe(201);
    expect((await other.get(`/queues/${name}`)).body).toMatchObject({
      enabled: false,
      settings: { paused: true, paused_at: paused.body.paused_at, paused_reason: 'stock-taking' },
    });
    const again = await rest.post(`/queues/${name}/pause`);
    expect(again.body).toEqual({
      queue_name: name,
      paused: true,
      paused_at: paused.body.paused_at,
      reason: null,
      expires_at: null,
    });
    const resumed = await other.post(`/queues/${name}/resume`);
    const paused_duration_secs = expect.any(Number) as unknown as number;
    expect([resumed.status, resumed.body]).toEqual([200, { queue_name: name, resumed: true, paused_duration_secs }]);
    expect(await claim(name)).toHaveLength(1);
    expect((await rest.get(`/queues/${name}`)).body).toMatchObject({ enabled: true, settings: {} });
  });

  it('can be paused and resumed by its settings', async () => {
    const name = queue();
    await create(name);
    const off = await rest.put(`/queues/${name}/config`, { enabled: false });
    expect(off.body.settings).toEqual({ paused: true, paused_at: aTime });
    expect(await claim(name)).toEqual([]);
    expect((await rest.put(`/queues/${name}/config`, { enabled: true })).body.settings).toEqual({});
    expect(await claim(name)).toHaveLength(1);
  });

  it('must exist; to be resumed it must have settings', async () => {
    const name = queue();
    expect(problem(await rest.post(`/queues/${name}/pause`, { reason: null }))).toMatchObject({ status: 404 });
    await create(name);
    expect(problem(await rest.post(`/queues/${name}/resume`, {}))).toMatchObject({ status: 404 });
    const long = await rest.post(`/queues/${name}/pause`, { reason: 'x'.repeat(501) });
    expect(problem(long)).toMatchObject({ status: 400, details: { reason } });
  });
});

describe('the statistics of a queue', () => {
  it('show its contents and its throughput', async () => {
    const name = queue();
    await rest.post('/jobs/bulk', { queue_name: name, jobs: [{ payload: 1 }, { payload: 2 }, { payload: 3 }] });
    const [job] = await claim(name);
    await rest.post(`/jobs/${job.id}/complete`, { worker_id: 'w1' });
    await claim(name);
    await rest.post('/workers/register', { queue_name: name, hostname: 'h' });
    const { status, body } = await rest.get(`/queues/${name}/stats`);
    expect([status, body]).toEqual([
      200,
      {
        queue_name: name,
        pending_jobs: 1,
        processing_jobs: 1,
        completed_jobs_24h: 1,
        failed_jobs_24h: 0,
        covered_seconds_24h: 86_400,
        avg_processing_time_ms: expect.any(Number),
        max_job_age_seconds: expect.any(Number),
        active_workers: 1,
      },
    ]);
    expect(Number.isInteger(body.avg_processing_time_ms)).toBe(true);
  });
});

describe('deleting a queue', () => {
  it('is rejected while jobs are live, and deletes them if requested', async () => {
    const name = queue();
    const { body } = await create(name);
    const implicit = await rest.delete(`/queues/${name}`);
    expect(implicit).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(implicit.body.message).toContain('delete_jobs=true');
    await rest.put(`/queues/${name}/config`, {});
    expect(problem(await rest.delete(`/queues/${name}`))).toMatchObject({ status: 409 });
    const misspelt = await rest.delete(`/queues/${name}?delete_jobs=yes`);
    expect(problem(misspelt)).toMatchObject({ status: 400, details: { delete_jobs: 'must be true or false' } });
    expect(await rest.delete(`/queues/${name}?delete_jobs=true`)).toMatchObject({ status: 204, body: null });
    expect(problem(await rest.get(`/queues/${name}`))).toMatchObject({ status: 404 });
    expect(problem(await rest.get(`/jobs/${body.id}`))).toMatchObject({ status: 404 });
    expect(problem(await rest.delete(`/queues/${name}`))).toMatchObject({ status: 404 });
  });

  it('needs no option for a queue with settings and no live jobs', async () => {
    const name = queue();
    await rest.put(`/queues/${name}/config`, {});
    expect(await rest.delete(`/queues/${name}`)).toMatchObject({ status: 204 });
  });
});

describe('access to queues', () => {
  it('is rejected for keys for other queues and without a key', async () => {
    const name = queue();
    await create(name);
    const scoped = new RestCaller(stack.baseUrl, await tenant.keyFor('mine'));
    const anonymous = new RestCaller(stack.baseUrl, null);
    for (const [caller, status] of [
      [scoped, 403],
      [anonymous, 401],
    ] as const) {
      const responses = await Promise.all([
        caller.get(`/queues/${name}`),
        caller.get(`/queues/${name}/stats`),
        caller.put(`/queues/${name}/config`, {}),
        caller.post(`/queues/${name}/pause`),
        caller.post(`/queues/${name}/resume`),
        caller.delete(`/queues/${name}?delete_jobs=true`),
      ]);
      expect(responses.map((response) => response.status)).toEqual(responses.map(() => status));
    }
  });
});
