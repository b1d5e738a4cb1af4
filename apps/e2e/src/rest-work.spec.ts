import { randomUUID } from 'node:crypto';
import { createTenant, eventually, msUntil } from '@spooled/testing';
import { newQueue } from './job-steps.js';
import { aTime, anId, problem, RestCaller } from './rest-caller.js';
import { useRest } from './use-rest.js';

const { stack, tenant, rest, jobs } = useRest();

const anything = expect.any(String) as unknown as string;

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
      priority: 10,
      created_at: aTime,
      idempotency_key: null,
      traceparent: null,
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
    await jobs.claim(queue_name, { lease_duration_secs: 60 });
    const renewed = await rest.post(`/jobs/${id}/heartbeat`, { worker_id: 'w1', lease_duration_secs: 3600 });
    expect([renewed.status, renewed.body]).toEqual([200, { success: true, lease_expires_at: aTime }]);
    expect(msUntil(renewed.body.lease_expires_at)).toBeGreaterThan(3_000_000);
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
    for (const unknowing of [
      scoped,
      new RestCaller(stack.baseUrl, (await createTenant(stack.databaseUrls.superuserUrl)).key),
    ]) {
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

describe('completing jobs in bulk', () => {
  const complete = (items: object[], caller = rest) =>
    caller.post('/jobs/complete/bulk', { worker_id: 'w1', jobs: items });

  /** Creates `count` jobs and claims them as `w1`. */
  async function held(count: number, queue_name = newQueue()): Promise<{ job_id: string; lease_id: string }[]> {
    await rest.post('/jobs/bulk', { queue_name, jobs: Array.from({ length: count }, () => ({ payload: {} })) });
    const claimed = await jobs.claim(queue_name, { limit: count });
    return claimed.map(({ id, lease_id }) => ({ job_id: id!, lease_id: lease_id! }));
  }

  it('BX-10 SP-101 completes 100 jobs in one request, with results in order', async () => {
    const items = (await held(100)).map((item, n) => ({ ...item, result: { n, text: 'a\0b' } }));
    const response = await complete(items);
    expect([response.status, response.body]).toEqual([
      200,
      {
        results: items.map(({ job_id }) => ({ success: true, job_id })),
        total: 100,
        success_count: 100,
        failure_count: 0,
      },
    ]);
    const last = items.at(-1)!;
    expect((await rest.get(`/jobs/${last.job_id}`)).body).toMatchObject({ status: 'completed', result: last.result });
  });

  it('SP-25 returns for each job the same result as a single completion', async () => {
    const [done, mismatch, ended, tooLarge, byName] = (await held(5)) as { job_id: string; lease_id: string }[];
    await rest.post(`/jobs/${ended!.job_id}/complete`, { worker_id: 'w1' });
    const waiting = await jobs.create();
    const { body } = await complete([
      done!,
      { ...mismatch, lease_id: randomUUID() },
      ended!,
      { ...tooLarge, result: 'x'.repeat(1_100_000) },
      { job_id: byName!.job_id.toUpperCase(), result: null },
      { job_id: waiting },
      { job_id: 'no uuid' },
      done!,
    ]);
    const outcomes = body.results.map(({ success, error }: { success: boolean; error?: { code: string } }) =>
      success ? 'done' : error!.code,
    );
    expect(outcomes).toEqual([
      'done',
      'LEASE_EXPIRED',
      'CONFLICT',
      'PAYLOAD_TOO_LARGE',
      'done',
      'NOT_FOUND',
      'NOT_FOUND',
      'CONFLICT',
    ]);
    expect(body).toMatchObject({ total: 8, success_count: 2, failure_count: 6 });
    const alone = await rest.post(`/jobs/${ended!.job_id}/complete`, { worker_id: 'w1' });
    expect(body.results[2]).toEqual({ success: false, job_id: ended!.job_id, error: alone.body });
    expect(body.results[3].error).toMatchObject({ error: 'payload_too_large', limit: 1_048_576 });
    expect(await jobs.statusOf(mismatch!.job_id)).toBe('processing');
  });

  it('BX-01 changes no job of another organization, worker or queue', async () => {
    const [one, two] = [await held(1), await held(1)];
    const otherTenant = new RestCaller(stack.baseUrl, (await createTenant(stack.databaseUrls.superuserUrl)).key);
    const scoped = new RestCaller(stack.baseUrl, await tenant.keyFor('another'));
    for (const caller of [otherTenant, scoped]) {
      const { body } = await complete([...one, ...two], caller);
      expect(body).toMatchObject({ success_count: 0, failure_count: 2 });
      expect(body.results[0]).toEqual({
        success: false,
        job_id: anId,
        error: { code: 'NOT_FOUND', message: 'Job not found' },
      });
    }
    const other = await rest.post('/jobs/complete/bulk', { worker_id: 'w2', jobs: one });
    expect(other.body).toMatchObject({ failure_count: 1 });
    expect(await complete([...one, ...two])).toMatchObject({ body: { success_count: 2 } });
  });

  it('rejects the whole request only if it is malformed', async () => {
    const item = { job_id: randomUUID() };
    const tooMany = problem(await complete(Array.from({ length: 101 }, () => item)));
    expect(tooMany).toMatchObject({ status: 400, details: { jobs: 'must hold at most 100 jobs' } });
    expect(problem(await complete([]))).toMatchObject({ status: 400, details: { jobs: 'must hold at least one job' } });
    expect(problem(await complete([item, {}]))).toMatchObject({
      status: 422,
      details: { 'jobs[1].job_id': 'is required' },
    });
    const nameless = await rest.post('/jobs/complete/bulk', { jobs: [item] });
    expect(problem(nameless)).toMatchObject({ status: 422, details: { worker_id: 'is required' } });
  });
});
