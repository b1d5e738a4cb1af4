import { randomUUID } from 'node:crypto';
import { JobSteps, newQueue } from './job-steps.js';
import { aTime, problem, RestCaller, type RestResponse } from './rest-caller.js';
import { useRest } from './use-rest.js';

const { stack, tenant, rest, jobs } = useRest();

const anything = expect.any(String) as unknown as string;

describe('reading jobs', () => {
  it('lists summaries, newest first, with headers for the next page', async () => {
    const queue_name = newQueue();
    const first = await jobs.create({ queue_name, payload: { job_type: 'a' } });
    const second = await jobs.create({ queue_name });
    const whole = await rest.get(`/jobs?queue_name=${queue_name}`);
    expect(whole.body).toEqual([
      expect.objectContaining({ id: second, job_type: '' }),
      {
        id: first,
        queue_name,
        status: 'pending',
        priority: 0,
        attempt: 0,
        retry_count: 0,
        max_retries: 3,
        job_type: 'a',
        last_error: null,
        created_at: aTime,
        scheduled_at: null,
        started_at: null,
        completed_at: null,
      },
    ]);
    expect(whole.headers.get('link')).toBeNull();
    const page = await rest.get(`/jobs?queue=${queue_name}&limit=1`);
    expect(page.body.map(({ id }: { id: string }) => id)).toEqual([second]);
    expect(page.headers.get('link')).toBe(`</api/v1/jobs?queue=${queue_name}&limit=1&offset=1>; rel="next"`);
    const next = await rest.get(`/jobs?queue=${queue_name}&limit=1&cursor=${page.headers.get('x-next-cursor')}`);
    expect(next.body).toMatchObject({ data: [{ id: first }], next_cursor: null, has_more: false });
  });

  it('SP-17 pages by cursor without gaps or duplicates while jobs are added', async () => {
    const queue_name = newQueue();
    await rest.post('/jobs/bulk', { queue_name, jobs: Array.from({ length: 7 }, (_, i) => ({ payload: i })) });
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body }: RestResponse = await rest.get(`/jobs?queue_name=${queue_name}&limit=3&cursor=${cursor}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
      await jobs.create({ queue_name });
    }
    expect(new Set(seen).size).toBe(7);
    expect(problem(await rest.get('/jobs?cursor=nonsense'))).toMatchObject({
      status: 400,
      details: { cursor: anything },
    });
  });

  it('filters by status and tag, sorts by priority, and ignores an unknown order', async () => {
    const queue_name = newQueue();
    const low = await jobs.create({ queue_name, tags: { env: 1 }, priority: -5 });
    const high = await jobs.create({ queue_name, scheduled_at: '2099-01-01T00:00:00Z', priority: 5 });
    const ids = async (query: string) => {
      const { body } = await rest.get(`/jobs?queue_name=${queue_name}&${query}`);
      return body.map(({ id }: { id: string }) => id);
    };
    expect(await ids('status=scheduled')).toEqual([high]);
    expect(await ids('tag=env')).toEqual([low]);
    expect(await ids('order_by=priority&order_dir=asc')).toEqual([low, high]);
    expect(await ids('order_by=payload&limit=nine&offset=-1')).toEqual([high, low]);
    expect(await ids('status=odd')).toEqual([]);
    expect(await ids('tag=%20')).toEqual([]);
    expect(await ids('limit=0')).toEqual([high]);
  });

  it('counts jobs by status', async () => {
    const queue_name = newQueue();
    await jobs.create({ queue_name, priority: 1 });
    await jobs.create({ queue_name });
    await jobs.create({ queue_name, scheduled_at: '2099-01-01T00:00:00Z' });
    const [job] = await jobs.claim(queue_name);
    await rest.post(`/jobs/${job!.id}/complete`, { worker_id: 'w1' });
    await jobs.claim(queue_name);
    const counts = { pending: 0, scheduled: 1, processing: 1, completed: 1, failed: 0, deadletter: 0, cancelled: 0 };
    for (const name of ['queue_name', 'queue']) {
      expect((await rest.get(`/jobs/stats?${name}=${queue_name}`)).body).toEqual({ ...counts, total: 3 });
    }
  });

  it('returns the statuses of up to 100 jobs', async () => {
    const [first, second] = [await jobs.create(), await jobs.create()];
    const { body } = await rest.get(`/jobs/status?ids=${second}%2C${randomUUID()},nonsense,${first}`);
    const attempts = { retry_count: 0, attempt: 0, max_retries: 3 };
    const entry = { status: 'pending', queue_name: anything, ...attempts, created_at: aTime, completed_at: null };
    expect(body).toEqual([
      { id: second, ...entry },
      { id: first, ...entry },
    ]);
    expect((await rest.get('/jobs/status')).body).toEqual([]);
    const many = Array.from({ length: 101 }, () => randomUUID()).join(',');
    expect(problem(await rest.get(`/jobs/status?ids=${many}`))).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
  });

  it.each(['', '/dependencies'])('returns 404 for an unknown or invalid id (GET …%s)', async (route) => {
    for (const id of [randomUUID(), 'nonsense', '%00']) {
      expect(problem(await rest.get(`/jobs/${id}${route}`))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
  });
});

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
