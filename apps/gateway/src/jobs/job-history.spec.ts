import { randomUUID } from 'node:crypto';
import { createTenant, useSuperuser, useTenant } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenant(database);
const superuser = useSuperuser(database);

const post = (path: string, body?: unknown) => gateway.request('POST', path, tenant.key, body);
const get = (path: string, key = tenant.key) => gateway.request('GET', path, key);

const create = async (job: object): Promise<string> => {
  const { status, body } = await post('/jobs', { queue_name: 'mail', payload: {}, ...job });
  expect([status, body]).toEqual([201, expect.anything()]);
  return body.id as string;
};

interface Held {
  id: string;
  lease_id: string;
}

async function claim(queue_name: string, worker_id = 'pod-7'): Promise<Held> {
  const { body } = await post('/jobs/claim', { queue_name, worker_id });
  return body.jobs[0] as Held;
}

/** Makes a waiting retry due. */
const makeDue = (id: string) => superuser.query('UPDATE job_queue SET due_at = now() WHERE job_id = $1', [id]);

const end = (how: 'complete' | 'fail', { id, lease_id }: Held, worker_id = 'pod-7') =>
  post(`/jobs/${id}/${how}`, { worker_id, lease_id, ...(how === 'fail' && { error: 'smtp says no' }) });

const worker = { kind: 'worker', id: 'pod-7', name: null };
const key = { kind: 'key', id: expect.any(String), name: 'spec' };

describe('GET /jobs/:id/history', () => {
  it('BX-12 BX-14 GET /jobs/{id}/history returns every event of a job with its actor', async () => {
    const id = await create({ queue_name: 'whole', max_retries: 1 });
    const first = await claim('whole');
    await end('fail', first);
    await makeDue(id);
    const second = await claim('whole');
    await end('fail', second);
    await post(`/jobs/${id}/retry`);
    const third = await claim('whole');
    await end('complete', third);

    const { status, headers, body } = await get(`/jobs/${id}/history`);
    expect([status, headers['x-has-more']]).toEqual([200, 'false']);
    const event = (event_type: string, worker_id: string | null, details: object) => ({
      id: expect.any(String),
      job_id: id,
      event_type,
      worker_id,
      details,
      created_at: expect.stringMatching(/Z$/),
    });
    const claimed = ({ lease_id }: Held, attempt: number) =>
      event('claimed', 'pod-7', { lease_id, attempt, actor: worker });
    const error = 'smtp says no';
    expect(body).toEqual([
      event('created', null, { queue_name: 'whole', actor: key }),
      claimed(first, 1),
      event('failed', 'pod-7', {
        lease_id: first.lease_id,
        error,
        attempt: 1,
        retry_count: 1,
        will_retry: true,
        scheduled_at: expect.stringMatching(/Z$/),
        actor: worker,
      }),
      claimed(second, 2),
      event('failed', 'pod-7', {
        lease_id: second.lease_id,
        error,
        attempt: 2,
        retry_count: 1,
        will_retry: false,
        actor: worker,
      }),
      event('deadlettered', 'pod-7', { error, attempt: 2, cause: 'failed', actor: worker }),
      event('retried', null, { reason: 'manual', from: 'deadletter', ready: true, actor: key }),
      claimed(third, 1),
      event('completed', 'pod-7', { lease_id: third.lease_id, attempt: 1, actor: worker }),
    ]);
    const times = (body as { created_at: string }[]).map(({ created_at: at }) => Date.parse(at));
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it('returns pages in both directions and says whether more follow', async () => {
    const id = await create({ queue_name: 'pages' });
    await end('complete', await claim('pages'));
    const page = async (query: string) => {
      const { status, headers, body } = await get(`/jobs/${id}/history?${query}`);
      return [status, headers['x-has-more'], (body as { event_type: string }[]).map(({ event_type: type }) => type)];
    };
    expect(await page('limit=2')).toEqual([200, 'true', ['created', 'claimed']]);
    expect(await page('limit=2&offset=2')).toEqual([200, 'false', ['completed']]);
    expect(await page('order_dir=desc&limit=2')).toEqual([200, 'true', ['completed', 'claimed']]);
    expect(await page('limit=3')).toEqual([200, 'false', ['created', 'claimed', 'completed']]);
    expect(await page('offset=3')).toEqual([200, 'false', []]);
    expect(await page(`offset=${Number.MAX_SAFE_INTEGER}`)).toEqual([200, 'false', []]);
  });

  it.each([
    ['order_dir=sideways', 'order_dir'],
    ['orderDir=desc', 'orderDir'],
    ['limit=5&type=failed', 'type'],
  ])('rejects %s by its name', async (query, name) => {
    const { status, body } = await get(`/jobs/${await create({})}/history?${query}`);
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.message).toContain(name);
    expect((await get(`/jobs/${await create({})}/timeline?${name}=1`)).status).toBe(400);
  });

  it('SP-60 knows no job of another organization, and none outside the queues of the key', async () => {
    const id = await create({ queue_name: 'private' });
    const other = await createTenant(database.superuserUrl);
    const scoped = await tenant.keyFor('public');
    for (const route of ['history', 'timeline']) {
      const refusals = [
        await get(`/jobs/${id}/${route}`, other.key),
        await get(`/jobs/${id}/${route}`, scoped),
        await get(`/jobs/${randomUUID()}/${route}`),
        await get(`/jobs/nonsense/${route}`),
      ];
      expect(refusals.map(({ status, body }) => [status, body.code])).toEqual(refusals.map(() => [404, 'NOT_FOUND']));
      expect((await get(`/jobs/${id}/${route}`, await tenant.keyFor('private'))).status).toBe(200);
    }
  });

  it('knows no job of a queue that is being deleted', async () => {
    const id = await create({ queue_name: 'deleted' });
    await superuser.query(`INSERT INTO queue_deletions VALUES ($1, 'deleted', clock_timestamp(), true)`, [
      tenant.organizationId,
    ]);
    for (const route of ['history', 'timeline']) expect((await get(`/jobs/${id}/${route}`)).status).toBe(404);
  });

  it('BX-14 names the session behind a request with an access token', async () => {
    const login = await gateway.request('POST', '/auth/login', null, { api_key: tenant.key });
    const token = login.body.access_token as string;
    const created = await gateway.request('POST', '/jobs', token, { queue_name: 'mail', payload: {} });
    const { body } = await get(`/jobs/${created.body.id}/history`);
    expect(body[0].details.actor).toEqual({ kind: 'session', id: expect.any(String), name: 'spec' });
    expect(body[0].details.actor.id).not.toEqual(expect.stringContaining(tenant.key));
  });
});

describe('GET /jobs/:id/timeline', () => {
  it('BX-07 BX-14 GET /jobs/{id}/timeline says what the job waited for, who worked on it and what followed', async () => {
    // Its retry is claimed before its time, however long the requests take.
    const settings = { retry_strategy: 'fixed', retry_delay_ms: 3_600_000 };
    await gateway.request('PUT', '/queues/line/config', tenant.key, { settings });
    const parent = await create({ queue_name: 'parents' });
    const id = await create({
      queue_name: 'line',
      max_retries: 1,
      completion_webhook: 'https://example.com/done',
    });
    await post(`/jobs/${id}/dependencies`, { depends_on: [parent] });
    await end('complete', await claim('parents'));
    const first = await claim('line');
    await end('fail', first);
    await makeDue(id);
    const second = await claim('line', 'pod-8');
    await end('complete', second, 'pod-8');
    const child = await create({ queue_name: 'line', parent_job_id: id });

    const { status, body } = await get(`/jobs/${id}/timeline`);
    expect(status).toBe(200);
    expect(body.job).toMatchObject({ id, status: 'completed', queue_name: 'line', created_by: key, retry_count: 1 });
    const line = (rows: { [name: string]: unknown }[], ...names: string[]) =>
      rows.map((row) => names.map((n) => row[n]));
    expect(line(body.states, 'state', 'event_type')).toEqual([
      ['pending', 'created'],
      ['processing', 'claimed'],
      ['pending', 'failed'],
      ['processing', 'claimed'],
      ['completed', 'completed'],
    ]);
    expect(body.states.at(-1)).toMatchObject({ to: null, duration_ms: null });
    for (const [i, state] of body.states.slice(1).entries()) expect(state.from).toBe(body.states[i].to);
    expect(line(body.attempts, 'attempt', 'worker_id', 'outcome', 'error', 'lease_id')).toEqual([
      [1, 'pod-7', 'failed', 'smtp says no', first.lease_id],
      [2, 'pod-8', 'completed', null, second.lease_id],
    ]);
    expect(line(body.waits, 'reason')).toEqual([['dependencies'], ['queued'], ['retry_backoff']]);
    expect(line(body.changes, 'event_type')).toEqual([['dependencies_added'], ['dependencies_met']]);
    expect(line(body.deliveries, 'kind', 'event', 'url', 'status')).toEqual([
      ['completion_webhook', 'job.completed', 'https://example.com/done', 'pending'],
    ]);
    expect(body.parents).toEqual([{ job_id: parent, queue_name: 'parents', status: 'completed' }]);
    expect(body.children).toEqual([{ job_id: child, queue_name: 'line', status: 'pending' }]);
    expect(body.omitted).toEqual({ events: 0, deliveries: 0, parents: 0, children: 0 });
  });

  it('BX-14 says when the job waited for its queue to be resumed', async () => {
    const before = await create({ queue_name: 'stopped' });
    const waits = async (id: string) => {
      const { body } = await get(`/jobs/${id}/timeline`);
      return body.waits.map(({ reason, to }: { reason: string; to: string | null }) => [reason, to === null]);
    };
    await create({ queue_name: 'another' });
    expect((await post('/queues/another/pause')).status).toBe(200);
    await post('/queues/stopped/pause');
    const during = await create({ queue_name: 'stopped' });
    expect(await waits(during)).toEqual([['queue_paused', true]]);
    await post('/queues/stopped/resume');
    const after = await create({ queue_name: 'stopped' });
    expect(await waits(before)).toEqual([
      ['queued', false],
      ['queue_paused', false],
      ['queued', true],
    ]);
    expect(await waits(during)).toEqual([
      ['queue_paused', false],
      ['queued', true],
    ]);
    expect(await waits(after)).toEqual([['queued', true]]);
    // Its deletion resumes a queue as well.
    await post('/queues/stopped/pause');
    const { status } = await gateway.request('DELETE', '/queues/stopped?delete_jobs=true', tenant.key);
    expect(status).toBe(204);
    expect(await waits(await create({ queue_name: 'stopped' }))).toEqual([['queued', true]]);
  });

  it('SP-60 shows only relatives in the queues of the key', async () => {
    const [id, parent] = [await create({ queue_name: 'own' }), await create({ queue_name: 'hidden' })];
    await post(`/jobs/${id}/dependencies`, { depends_on: [parent] });
    const { body } = await get(`/jobs/${id}/timeline`, await tenant.keyFor('own'));
    expect([body.parents, body.omitted.parents]).toEqual([[], 0]);
    expect(body.waits).toMatchObject([{ reason: 'dependencies', to: null }]);
  });

  it('says how many events, deliveries and relatives it leaves out', async () => {
    const id = await create({ queue_name: 'many' });
    const children = Array.from({ length: 101 }, () => ({ queue_name: 'many', payload: {}, parent_job_id: id }));
    for (const child of children) await create(child);
    await superuser.query(
      `INSERT INTO job_history (organization_id, job_id, at, event, details)
       SELECT $1, $2, now() + n * interval '1 millisecond', 'priority_changed', '{"from":0,"to":1}' FROM generate_series(1, 600) AS n`,
      [tenant.organizationId, id],
    );
    await superuser.query(
      `INSERT INTO webhook_deliveries (organization_id, job_id, event, payload, url)
       SELECT $1, $2, 'job.completed', '{}', 'https://example.com' FROM generate_series(1, 103)`,
      [tenant.organizationId, id],
    );
    for (const [limit, found] of [
      ['', 100],
      ['?limit=500', 500],
      ['?limit=9999', 500],
    ])
      expect((await get(`/jobs/${id}/history${limit}`)).body).toHaveLength(Number(found));
    const { body } = await get(`/jobs/${id}/timeline`);
    expect(body.omitted).toEqual({ events: 101, deliveries: 3, parents: 0, children: 1 });
    expect([body.changes.length, body.deliveries.length, body.children.length]).toEqual([500, 100, 100]);
  });
});
