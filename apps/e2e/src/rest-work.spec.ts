import { randomUUID } from 'node:crypto';
import {
  createTenant,
  eventually,
  startStack,
  type Stack,
  type TestTenant,
  type TestTenantOptions,
} from '@spooled/testing';
import { JobSteps, newQueue } from './job-steps.js';
import { aTime, anId, problem, RestCaller } from './rest-caller.js';

let stack: Stack;
let tenant: TestTenant;
let rest: RestCaller;
let jobs: JobSteps;

beforeAll(async () => {
  stack = await startStack({ schedulers: 0, webhooks: 0, realtime: 0 });
  tenant = await createTenant(stack.databaseUrls.superuserUrl);
  rest = new RestCaller(stack.baseUrl, tenant.key);
  jobs = new JobSteps(rest);
}, 60_000);

afterAll(() => stack?.stop());

const anything = expect.any(String) as unknown as string;
const newTenant = (options?: TestTenantOptions) => createTenant(stack.databaseUrls.superuserUrl, options);

describe('changing jobs', () => {
  it('SP-30 cancels a waiting job once, and rejects one that is being processed', async () => {
    const queue_name = newQueue();
    const id = await jobs.create({ queue_name });
    expect(await rest.delete(`/jobs/${id}`)).toMatchObject({ status: 204, body: null });
    expect(await jobs.statusOf(id)).toBe('cancelled');
    expect(problem(await rest.delete(`/jobs/${id}`))).toMatchObject({ status: 409, code: 'CONFLICT' });
    const held = await jobs.create({ queue_name });
    await jobs.claim(queue_name);
    expect(problem(await rest.delete(`/jobs/${held}`))).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect(problem(await rest.delete(`/jobs/${randomUUID()}`))).toMatchObject({ status: 404 });
  });

  it('retries a dead letter as a new job, and rejects other jobs', async () => {
    const queue_name = newQueue();
    const id = await jobs.createDeadLetter(queue_name);
    expect((await rest.get(`/jobs/${id}`)).body).toMatchObject({ status: 'deadletter', last_error: 'broken' });
    const retried = await rest.post(`/jobs/${id}/retry`);
    expect(retried).toMatchObject({ status: 200, body: { id, status: 'pending', retry_count: 0, last_error: null } });
    expect(problem(await rest.post(`/jobs/${id}/retry`, {}))).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect(problem(await rest.post(`/jobs/${randomUUID()}/retry`))).toMatchObject({ status: 404 });
    expect((await jobs.claim(queue_name)).map((job) => job.id)).toEqual([id]);
  });

  it('SP-23 changes the priority of a waiting job', async () => {
    const queue_name = newQueue();
    await jobs.create({ queue_name, priority: 1 });
    const id = await jobs.create({ queue_name });
    const boosted = await rest.put(`/jobs/${id}/priority`, { priority: 50 });
    expect([boosted.status, boosted.body]).toEqual([200, { job_id: id, old_priority: 0, new_priority: 50 }]);
    expect((await jobs.claim(queue_name)).map((job) => job.id)).toEqual([id]);
    expect(problem(await rest.put(`/jobs/${id}/priority`, { priority: 1 }))).toMatchObject({ status: 404 });
    expect(problem(await rest.put(`/jobs/${id}/priority`, { priority: 101 }))).toMatchObject({ status: 400 });
    expect(problem(await rest.put(`/jobs/${id}/priority`, {}))).toMatchObject({ status: 422 });
  });
});

describe('working on jobs', () => {
  it('SP-22 claims by priority, then age, each job with its own lease', async () => {
    const queue_name = newQueue();
    for (const priority of [1, 10, 5, 10]) await jobs.create({ queue_name, priority, payload: { priority } });
    const { body } = await rest.post('/jobs/claim', { queue_name, worker_id: 'w1', limit: 3 });
    expect(body.jobs.map(({ payload }: { payload: { priority: number } }) => payload.priority)).toEqual([10, 10, 5]);
    expect(body.jobs[0]).toEqual({
      id: anId,
      queue_name,
      payload: { priority: 10 },
      retry_count: 0,
      max_retries: 3,
      timeout_seconds: 300,
      lease_expires_at: aTime,
      lease_id: anId,
    });
    expect(new Set(body.jobs.map(({ lease_id }: { lease_id: string }) => lease_id)).size).toBe(3);
    expect((await jobs.claim(newQueue())).length).toBe(0);
  });

  it('PB-16 completes a job once, with its result', async () => {
    const queue_name = newQueue();
    const id = await jobs.create({ queue_name });
    const [job] = await jobs.claim(queue_name);
    const proof = { worker_id: 'w1', lease_id: job!.lease_id };
    const wrong = { ...proof, lease_id: randomUUID() };
    const mismatch = await rest.post(`/jobs/${id}/complete`, wrong);
    expect(mismatch).toMatchObject({ status: 409, body: { code: 'LEASE_EXPIRED' } });
    expect(mismatch.body.message).toContain('does not match');
    const done = await rest.post(`/jobs/${id}/complete`, { ...proof, result: { Answer: [42] } });
    expect([done.status, done.body]).toEqual([200, { success: true }]);
    expect((await rest.get(`/jobs/${id}`)).body).toMatchObject({
      status: 'completed',
      result: { Answer: [42] },
      retry_count: 0,
      last_error: null,
      created_at: aTime,
      started_at: aTime,
      completed_at: aTime,
      assigned_worker_id: 'w1',
    });
    const again = await rest.post(`/jobs/${id}/complete`, proof);
    expect(again).toMatchObject({ status: 409, body: { code: 'CONFLICT', message: 'Job is already completed' } });
  });

  it('SP-28 KF-17 PB-16 retries a failed job until its retries are used up, then moves it to the dead letters', async () => {
    const queue_name = newQueue();
    const id = await jobs.create({ queue_name, max_retries: 1 });
    await rest.put(`/queues/${queue_name}/config`, { settings: { retry_delay_ms: 1 } });
    await jobs.claim(queue_name);
    const first = await rest.post(`/jobs/${id}/fail`, { worker_id: 'w1', error: 'odd \u0000 text' });
    expect([first.status, first.body]).toEqual([
      200,
      { success: true, will_retry: true, next_retry_delay_secs: expect.any(Number) },
    ]);
    expect((await rest.get(`/jobs/${id}`)).body).toMatchObject({
      status: 'pending',
      retry_count: 1,
      last_error: 'odd \ufffd text',
      scheduled_at: aTime,
    });
    await eventually(async () => expect(await jobs.claim(queue_name)).toMatchObject([{ id, retry_count: 1 }]));
    expect((await rest.get(`/jobs/${id}`)).body).toMatchObject({
      status: 'processing',
      retry_count: 1,
      last_error: 'odd \ufffd text',
      started_at: aTime,
      assigned_worker_id: 'w1',
    });
    const last = await rest.post(`/jobs/${id}/fail`, { worker_id: 'w1', error: 'still broken' });
    expect(last.body).toEqual({ success: true, will_retry: false, next_retry_delay_secs: 0 });
    expect((await rest.get(`/jobs/${id}`)).body).toMatchObject({ status: 'deadletter', last_error: 'still broken' });
  });

  it('renews a lease, counted from now', async () => {
    const queue_name = newQueue();
    const id = await jobs.create({ queue_name, timeout_seconds: 7200 });
    await jobs.claim(queue_name, { lease_duration_secs: 5 });
    const renewed = await rest.post(`/jobs/${id}/heartbeat`, { worker_id: 'w1', lease_duration_secs: 3600 });
    expect([renewed.status, renewed.body]).toEqual([200, { success: true, lease_expires_at: aTime }]);
    expect(Date.parse(renewed.body.lease_expires_at)).toBeGreaterThan(Date.now() + 3_000_000);
    expect((await rest.get(`/jobs/${id}`)).body.lease_expires_at).toBe(renewed.body.lease_expires_at);
  });

  it('accepts progress from the holder of the job', async () => {
    const queue_name = newQueue();
    const id = await jobs.create({ queue_name });
    const send = (body: object) => rest.post(`/jobs/${id}/progress`, { progress: 50, ...body });
    expect(problem(await send({}))).toMatchObject({ status: 404 });
    const [job] = await jobs.claim(queue_name);
    for (const proof of [{}, { worker_id: 'w1' }, { worker_id: 'w1', lease_id: job!.lease_id, message: 'half' }]) {
      expect(await send(proof)).toMatchObject({ status: 200, body: { success: true } });
    }
    const shown = { progress: 50, progress_message: 'half', progress_at: aTime };
    expect((await rest.get(`/jobs/${id}`)).body).toMatchObject(shown);
    expect(problem(await send({ worker_id: 'w2' }))).toMatchObject({ status: 404 });
    expect(problem(await send({ lease_id: randomUUID() }))).toMatchObject({ status: 409, code: 'LEASE_EXPIRED' });
    expect(problem(await send({ progress: 101 }))).toMatchObject({ status: 400 });
    await rest.post(`/jobs/${id}/complete`, { worker_id: 'w1' });
    expect((await rest.get(`/jobs/${id}`)).body).toMatchObject({ progress: null, progress_message: null });
  });

  it('SP-28 moves a job to the dead letters at once when its worker fails it with `retry: false`', async () => {
    const queue_name = newQueue();
    const id = await jobs.create({ queue_name, max_retries: 5 });
    await jobs.claim(queue_name);
    const send = (retry: unknown) => rest.post(`/jobs/${id}/fail`, { worker_id: 'w1', error: 'hopeless', retry });
    expect(problem(await send('no'))).toMatchObject({ status: 422, details: { retry: anything } });
    const failed = await send(false);
    expect(failed).toMatchObject({ status: 200, body: { will_retry: false, next_retry_delay_secs: 0 } });
    expect((await rest.get(`/jobs/${id}`)).body).toMatchObject({ status: 'deadletter', last_error: 'hopeless' });
  });

  it.each(['complete', 'fail', 'heartbeat'])('answers %s under a lease that the job had before', async (move) => {
    const queue_name = newQueue();
    const id = await jobs.create({ queue_name });
    const [{ lease_id }] = (await jobs.claim(queue_name)) as [{ lease_id: string }];
    const proof = { worker_id: 'w1', lease_id };
    const send = (caller = rest) => caller.post(`/jobs/${id}/${move}`, { ...proof, error: 'x' });
    await rest.post(`/jobs/${id}/fail`, { ...proof, error: 'x' });
    expect(problem(await send())).toMatchObject({ status: 409, code: 'LEASE_EXPIRED' });
    const scoped = new RestCaller(stack.baseUrl, await tenant.keyFor('another-queue'));
    for (const unknowing of [scoped, new RestCaller(stack.baseUrl, (await newTenant()).key)]) {
      expect(problem(await send(unknowing))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
    const [done] = (await eventually(async () => {
      const claimed = await jobs.claim(queue_name);
      expect(claimed).toHaveLength(1);
      return claimed;
    })) as [{ lease_id: string }];
    await rest.post(`/jobs/${id}/complete`, { worker_id: 'w1', lease_id: done.lease_id });
    expect(problem(await send())).toMatchObject({ status: 409, code: 'LEASE_EXPIRED' });
    proof.lease_id = done.lease_id;
    const completed = { code: 'CONFLICT', message: expect.stringContaining('already completed') };
    expect(await send()).toMatchObject({ status: 409, body: completed });
  });

  it.each(['complete', 'fail', 'heartbeat'])('allows %s only to the holder', async (move) => {
    const queue_name = newQueue();
    const id = await jobs.create({ queue_name });
    const send = (worker_id: unknown, target = id) =>
      rest.post(`/jobs/${target}/${move}`, { worker_id, ...(move === 'fail' && { error: 'x' }) });
    expect(problem(await send('w1'))).toMatchObject({ status: 404 });
    await jobs.claim(queue_name);
    expect(problem(await send('w2'))).toMatchObject({ status: 404 });
    expect(problem(await send('w1', randomUUID()))).toMatchObject({ status: 404 });
    expect(problem(await send('w1', 'nonsense'))).toMatchObject({ status: 404 });
    expect(problem(await send(undefined))).toMatchObject({ status: 422, details: { worker_id: anything } });
    expect(problem(await send(''))).toMatchObject({ status: 400, details: { worker_id: anything } });
    expect(await jobs.statusOf(id)).toBe('processing');
    expect(await send('w1')).toMatchObject({ status: 200 });
  });

  it('validates a claim', async () => {
    const send = (more: object) => rest.post('/jobs/claim', { queue_name: newQueue(), worker_id: 'w', ...more });
    expect(problem(await send({ limit: 101 }))).toMatchObject({ status: 400, details: { limit: anything } });
    expect(problem(await send({ lease_duration_secs: 4 }))).toMatchObject({ status: 400 });
    expect(problem(await send({ worker_id: undefined }))).toMatchObject({ status: 422 });
  });
});

describe('dead letters', () => {
  it('KF-17 are listed, retried oldest first, and purged', async () => {
    const queue_name = newQueue();
    const [oldest, middle, newest] = [
      await jobs.createDeadLetter(queue_name),
      await jobs.createDeadLetter(queue_name),
      await jobs.createDeadLetter(queue_name),
    ];
    const listed = await rest.get(`/jobs/dlq?queue_name=${queue_name}&limit=2`);
    expect(listed.body).toMatchObject([
      { id: newest, status: 'deadletter', last_error: 'broken' },
      { id: middle, status: 'deadletter' },
    ]);
    const retried = await rest.post('/jobs/dlq/retry', { queue_name, limit: 1 });
    expect([retried.status, retried.body]).toEqual([
      200,
      { retried_count: 1, retried_jobs: [oldest], skipped_jobs: [] },
    ]);
    const named = await rest.post('/jobs/dlq/retry', { job_ids: [middle, randomUUID(), 'nonsense'] });
    expect(named.body).toEqual({ retried_count: 1, retried_jobs: [middle], skipped_jobs: [] });
    const refusedPurge = await rest.post('/jobs/dlq/purge', { queue_name, confirm: false });
    expect(problem(refusedPurge)).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
    const early = await rest.post('/jobs/dlq/purge', { queue_name, older_than: '2000-01-01T00:00:00Z', confirm: true });
    expect(early.body).toEqual({ purged_count: 0 });
    expect((await rest.post('/jobs/dlq/purge', { queue_name })).body).toEqual({ purged_count: 1 });
    expect(problem(await rest.get(`/jobs/${newest}`))).toMatchObject({ status: 404 });
  });

  it('rejects more ids than the limit, and changes nothing when a plan limit is reached', async () => {
    const ids = [randomUUID(), randomUUID()];
    expect(problem(await rest.post('/jobs/dlq/retry', { job_ids: ids, limit: 1 }))).toMatchObject({ status: 400 });
    const capped = new RestCaller(stack.baseUrl, (await newTenant({ customLimits: { max_active_jobs: 1 } })).key);
    await new JobSteps(capped).createDeadLetter('q');
    await new JobSteps(capped).createDeadLetter('q');
    expect(await capped.post('/jobs/dlq/retry')).toMatchObject({ status: 429, body: { resource: 'active_jobs' } });
    expect((await capped.get('/jobs/stats')).body).toMatchObject({ deadletter: 2, pending: 0 });
  });
});

describe('a key for some queues', () => {
  it('is rejected for other queues, does not see their jobs, and has its own rules for dead letters', async () => {
    const [mine, other] = [newQueue(), newQueue()];
    const scoped = new RestCaller(stack.baseUrl, await tenant.keyFor(mine));
    const foreign = await jobs.create({ queue_name: other });
    const denied = { status: 403, code: 'ACCESS_DENIED' };
    const job = { queue_name: other, payload: {} };
    expect(problem(await scoped.post('/jobs', job))).toMatchObject(denied);
    expect(problem(await scoped.post('/jobs/bulk', { queue_name: other, jobs: [job] }))).toMatchObject(denied);
    expect(problem(await scoped.post('/jobs/claim', { queue_name: other, worker_id: 'w' }))).toMatchObject(denied);
    expect(problem(await scoped.post('/jobs/dlq/retry', {}))).toMatchObject(denied);
    expect(problem(await scoped.post('/jobs/dlq/retry', { queue_name: mine, job_ids: [] }))).toMatchObject(denied);
    expect(problem(await scoped.post('/jobs/dlq/purge', { queue_name: other }))).toMatchObject(denied);

    const hidden = { status: 404, code: 'NOT_FOUND' };
    expect(problem(await scoped.get(`/jobs/${foreign}`))).toMatchObject(hidden);
    expect(problem(await scoped.delete(`/jobs/${foreign}`))).toMatchObject(hidden);
    expect(problem(await scoped.post(`/jobs/${foreign}/retry`))).toMatchObject(hidden);
    expect(problem(await scoped.put(`/jobs/${foreign}/priority`, { priority: 1 }))).toMatchObject(hidden);
    await jobs.claim(other);
    expect(problem(await scoped.post(`/jobs/${foreign}/complete`, { worker_id: 'w1' }))).toMatchObject(hidden);

    const own = await new JobSteps(scoped).create({ queue_name: mine });
    expect((await scoped.get('/jobs')).body).toMatchObject([{ id: own }]);
    expect((await scoped.get(`/jobs?queue_name=${other}`)).body).toEqual([]);
    expect((await scoped.get(`/jobs/status?ids=${own},${foreign}`)).body).toMatchObject([{ id: own }]);
    expect((await scoped.get('/jobs/stats')).body.total).toBe(1);
    expect((await scoped.post('/jobs/dlq/retry', { queue_name: mine })).body.retried_count).toBe(0);
  });
});

describe('another organization', () => {
  it('BX-01 can neither see nor change our jobs', async () => {
    const queue_name = newQueue();
    const id = await jobs.create({ queue_name });
    await jobs.claim(queue_name);
    const otherTenant = new RestCaller(stack.baseUrl, (await newTenant()).key);
    const proof = { worker_id: 'w1', error: 'x', progress: 1 };
    const attempts = await Promise.all([
      otherTenant.get(`/jobs/${id}`),
      otherTenant.get(`/jobs/${id}/dependencies`),
      otherTenant.delete(`/jobs/${id}`),
      otherTenant.post(`/jobs/${id}/retry`),
      otherTenant.put(`/jobs/${id}/priority`, { priority: 1 }),
      ...['complete', 'fail', 'heartbeat', 'progress'].map((move) => otherTenant.post(`/jobs/${id}/${move}`, proof)),
    ]);
    expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => 404));
    expect((await otherTenant.get('/jobs')).body).toEqual([]);
    expect((await otherTenant.post('/jobs/claim', { queue_name, worker_id: 'w1' })).body).toEqual({ jobs: [] });
    expect((await otherTenant.get(`/jobs/status?ids=${id}`)).body).toEqual([]);
    expect(await jobs.statusOf(id)).toBe('processing');
  });
});
