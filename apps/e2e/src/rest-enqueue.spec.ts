import { randomUUID } from 'node:crypto';
import { createTenant, type TestTenantOptions } from '@spooled/testing';
import { JobSteps, newQueue } from './job-steps.js';
import { aTime, anId, problem, RestCaller } from './rest-caller.js';
import { useRest } from './use-rest.js';

const { stack, tenant, rest, jobs } = useRest();

const anything = expect.any(String) as unknown as string;
const newTenant = (options?: TestTenantOptions) => createTenant(stack.databaseUrls.superuserUrl, options);

describe('creating jobs', () => {
  it('SP-19 MQ-04 returns 201 with the id; the job has every field', async () => {
    const queue_name = newQueue();
    const created = await rest.post('/jobs', { queue_name, payload: { job_type: 'send', n: 1 } });
    expect([created.status, created.body]).toEqual([201, { id: anId, created: true }]);
    const { status, body } = await rest.get(`/jobs/${created.body.id}`);
    expect([status, body]).toEqual([
      200,
      {
        id: created.body.id,
        organization_id: tenant.organizationId,
        queue_name,
        status: 'pending',
        payload: { job_type: 'send', n: 1 },
        result: null,
        retry_count: 0,
        max_retries: 3,
        last_error: null,
        created_at: aTime,
        scheduled_at: null,
        started_at: null,
        completed_at: null,
        expires_at: null,
        priority: 0,
        tags: null,
        timeout_seconds: 300,
        parent_job_id: null,
        completion_webhook: null,
        assigned_worker_id: null,
        lease_id: null,
        lease_expires_at: null,
        idempotency_key: null,
        updated_at: aTime,
        workflow_id: null,
        batch_id: null,
        dependency_mode: null,
        dependencies_met: true,
        progress: null,
        progress_message: null,
        progress_at: null,
        cancel_requested_at: null,
        callback_url: null,
        callback_header_names: [],
        callback_timeout_seconds: null,
        backoff: null,
      },
    ]);
  });

  it('stores the given fields and the unchanged payload', async () => {
    const fields = {
      payload: { camelCase: 1, snake_case: [null, 'ü\u0000\ud83d\ude00'], completed_24h: { a: {} } },
      priority: -100,
      max_retries: 0,
      timeout_seconds: 86_400,
      tags: { env: 'prod', Größe: 'x' },
      idempotency_key: randomUUID(),
      completion_webhook: 'https://example.com/hook',
    };
    const id = await jobs.create({
      ...fields,
      scheduled_at: '2099-01-02T03:04:05.678901+02:00',
      expires_at: '2100-01-01T00:00:00Z',
      completion_webhook_secret: 'hidden',
      unknown_field: 1,
    });
    const { body } = await rest.get(`/jobs/${id}`);
    expect(body).toMatchObject({ ...fields, status: 'scheduled', scheduled_at: '2099-01-02T01:04:05.678Z' });
    expect(JSON.stringify(body)).not.toContain('hidden');
  });

  it('KF-16 returns 200 and the first job for a known idempotency key, regardless of other fields', async () => {
    const idempotency_key = randomUUID();
    const id = await jobs.create({ idempotency_key });
    const again = await rest.post('/jobs', { queue_name: newQueue(), payload: { other: true }, idempotency_key });
    expect([again.status, again.body]).toEqual([200, { id, created: false }]);
  });

  it.each<[string, string, object, number]>([
    ['queue_name', 'missing', { queue_name: undefined }, 422],
    ['payload', 'missing', { payload: undefined }, 422],
    ['payload', 'null', { payload: null }, 422],
    ['priority', 'no number', { priority: 'high' }, 422],
    ['priority', 'no integer', { priority: 1.5 }, 422],
    ['queue_name', 'empty', { queue_name: '' }, 400],
    ['queue_name', 'led by a dot', { queue_name: '.hidden' }, 400],
    ['queue_name', 'with a blank', { queue_name: 'a b' }, 400],
    ['queue_name', 'too long', { queue_name: 'x'.repeat(101) }, 400],
    ['priority', 'out of bounds', { priority: 101 }, 400],
    ['max_retries', 'out of bounds', { max_retries: -1 }, 400],
    ['timeout_seconds', 'out of bounds', { timeout_seconds: 86_401 }, 400],
    ['scheduled_at', 'no time', { scheduled_at: 'tomorrow' }, 400],
    ['expires_at', 'in the year 0', { expires_at: '0000-01-01T00:00:00Z' }, 400],
    ['idempotency_key', 'with U+0000', { idempotency_key: 'a\u0000b' }, 400],
    ['idempotency_key', 'with half a surrogate pair', { idempotency_key: '\ud800' }, 400],
    ['tags', 'too large', { tags: { big: 'x'.repeat(65_536) } }, 400],
    ['tags', 'with U+0000', { tags: ['\u0000'] }, 400],
    ['completion_webhook', 'not encrypted', { completion_webhook: 'http://example.com' }, 400],
  ])('rejects %s if it is %s', async (field, _why, change, status) => {
    const response = await rest.post('/jobs', { queue_name: newQueue(), payload: {}, ...change });
    expect(response).toMatchObject({ status, body: { code: 'VALIDATION_ERROR', error: 'Validation failed' } });
    expect(Object.keys(response.body.details)).toEqual([field]);
    expect(response.body.message).toContain(field);
  });

  it('accepts null for every optional field', async () => {
    await jobs.create({ priority: null, max_retries: null, tags: null, scheduled_at: null, idempotency_key: null });
  });

  it('returns 400 for invalid JSON, and 401 without a key', async () => {
    expect(problem(await rest.post('/jobs', '{'))).toMatchObject({ status: 400, code: 'INVALID_JSON' });
    expect(problem(await rest.post('/jobs'))).toMatchObject({ status: 400, code: 'INVALID_JSON' });
    const anonymous = new RestCaller(stack.baseUrl, null);
    for (const response of [await anonymous.post('/jobs', {}), await anonymous.get('/jobs')]) {
      expect(problem(response)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    }
  });

  it('SP-98 returns 413 for a payload over the limit of the server or the plan', async () => {
    const small = await newTenant({ plan: 'free', customLimits: { max_payload_size_bytes: 2048 } });
    const caller = new RestCaller(stack.baseUrl, small.key);
    const body = { queue_name: 'q', payload: 'ü'.repeat(1024) };
    const limits = { error: 'payload_too_large', current: 2050, limit: 2048, plan: 'free', upgrade_to: 'starter' };
    expect(await caller.post('/jobs', body)).toMatchObject({
      status: 413,
      body: { code: 'PAYLOAD_TOO_LARGE', ...limits },
    });
    expect(await caller.post('/jobs/bulk', { queue_name: 'q', jobs: [body] })).toMatchObject({
      status: 413,
      body: limits,
    });
    const huge = await rest.post('/jobs', { queue_name: 'q', payload: 'x'.repeat(1_048_576) });
    expect(huge).toMatchObject({ status: 413, body: { limit: 1_048_576, upgrade_to: null } });
    expect((await caller.get('/jobs')).body).toEqual([]);
  });

  it('rejects a parent in another queue, and starts a child only after its parent', async () => {
    const queue_name = newQueue();
    const parent_job_id = await jobs.create({ queue_name });
    for (const parent of ['nonsense', randomUUID()]) {
      const response = await rest.post('/jobs', { queue_name, payload: {}, parent_job_id: parent });
      expect(problem(response)).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
    }
    const child = await jobs.create({ queue_name, parent_job_id, priority: 100 });
    expect((await jobs.claim(queue_name, { limit: 2 })).map(({ id }) => id)).toEqual([parent_job_id]);
    const edges = {
      job_id: child,
      status: 'pending',
      dependency_mode: 'all',
      dependencies_met: false,
      dependencies: [
        { job_id: parent_job_id, queue_name, status: 'processing', dependency_type: 'success', completed: false },
      ],
      dependents: [],
      omitted: { dependencies: 0, dependents: 0 },
    };
    expect((await rest.get(`/jobs/${child}/dependencies`)).body).toEqual(edges);
    await rest.post(`/jobs/${parent_job_id}/complete`, { worker_id: 'w1' });
    expect((await jobs.claim(queue_name)).map(({ id }) => id)).toEqual([child]);
    expect((await rest.get(`/jobs/${parent_job_id}/dependencies`)).body).toMatchObject({
      dependencies_met: true,
      dependents: [{ job_id: child, status: 'processing' }],
    });
  });

  it.each([
    ['jobs_per_day', { max_jobs_per_day: 1 }],
    ['active_jobs', { max_active_jobs: 1 }],
    ['queues', { max_queues: 1 }],
  ])('returns 429 for a job over the limit on %s', async (resource, customLimits) => {
    const capped = new RestCaller(stack.baseUrl, (await newTenant({ plan: 'starter', customLimits })).key);
    await new JobSteps(capped).create();
    const response = await capped.post('/jobs', { queue_name: newQueue(), payload: {} });
    const extras = { error: 'limit_exceeded', resource, current: 1, limit: 1, plan: 'starter', upgrade_to: 'pro' };
    expect(response).toMatchObject({ status: 429, body: { code: 'QUOTA_EXCEEDED', ...extras } });
    expect(response.body.message).toMatch(`${resource} limit reached (1/1).`);
    expect(response.headers.get('retry-after')).toBeNull();
  });
});

describe('creating jobs in bulk', () => {
  it('SP-101 returns a result per index; an idempotency key repeated in the batch is one job', async () => {
    const key = randomUUID();
    const { status, body } = await rest.post('/jobs/bulk', {
      queue_name: newQueue(),
      default_priority: 7,
      default_max_retries: 1,
      jobs: [
        { payload: 1, idempotency_key: key },
        { payload: 2, priority: 9, tags: ['t'], max_retries: 5 },
        { payload: 3, idempotency_key: key },
      ],
    });
    const [first, second] = body.succeeded;
    expect([status, body]).toEqual([
      200,
      {
        succeeded: [
          { index: 0, job_id: anId, created: true },
          { index: 1, job_id: anId, created: true },
          { index: 2, job_id: first.job_id, created: false },
        ],
        failed: [],
        total: 3,
        success_count: 3,
        failure_count: 0,
      },
    ]);
    expect((await rest.get(`/jobs/${first.job_id}`)).body).toMatchObject({ payload: 1, priority: 7, max_retries: 1 });
    expect((await rest.get(`/jobs/${second.job_id}`)).body).toMatchObject({ priority: 9, max_retries: 5, tags: ['t'] });
  });

  it('SP-101 accepts 100 jobs, and rejects 101, an empty batch, and a batch with one invalid item', async () => {
    const list = (length: number) => Array.from({ length }, () => ({ payload: {} }));
    const send = (items: unknown[]) => rest.post('/jobs/bulk', { queue_name: newQueue(), jobs: items });
    expect(await send(list(100))).toMatchObject({ status: 200, body: { succeeded: { length: 100 }, failed: [] } });
    expect(problem(await send(list(101)))).toMatchObject({ status: 400, details: { jobs: anything } });
    expect(problem(await send([]))).toMatchObject({ status: 400, details: { jobs: anything } });
    const bad = await send([...list(2), { payload: {}, priority: 1000 }]);
    expect(problem(bad)).toMatchObject({ status: 400, details: { 'jobs[2].priority': anything } });
  });
});
