import { randomUUID } from 'node:crypto';
import { createTenant, eventually } from '@spooled/testing';
import { aTime, anId, problem, RestCaller } from './rest-caller.js';
import { useRestForEach } from './use-rest.js';

const { stack, tenant, rest } = useRestForEach();

const reason = expect.any(String) as unknown as string;
const register = (body: object = {}, caller = rest) =>
  caller.post('/workers/register', { queue_name: 'mail', hostname: 'host-1.local', ...body });

describe('a worker', () => {
  it('SP-01 SP-07 is registered, listed and read with every field name that SDKs use', async () => {
    const metadata = { camelCase: [1] };
    const more = { worker_type: 'node', max_concurrency: 7, metadata, version: '1.2.3' };
    const registered = await register(more);
    expect([registered.status, registered.body]).toEqual([
      201,
      { id: anId, queue_name: 'mail', lease_duration_secs: 30, heartbeat_interval_secs: 10 },
    ]);
    const { id } = registered.body;
    const summary = {
      id,
      queue_name: 'mail',
      hostname: 'host-1.local',
      status: 'healthy',
      current_jobs: 0,
      max_concurrency: 7,
      last_heartbeat: aTime,
      jobs_processed: 0,
      jobs_failed: 0,
    };
    expect((await rest.get('/workers')).body).toEqual([summary]);
    const shown = await rest.get(`/workers/${id}`);
    expect([shown.status, shown.body]).toEqual([
      200,
      {
        ...summary,
        organization_id: tenant.organizationId,
        queue_names: ['mail'],
        worker_type: 'node',
        metadata,
        version: '1.2.3',
        registered_at: aTime,
        updated_at: aTime,
        max_concurrent_jobs: 7,
        current_job_count: 0,
        drain_requested_at: null,
        created_at: aTime,
      },
    ]);
  });

  it.each([[[1, 'a']], ['text'], [0], [false], [{ nested: { list: [] } }]])(
    'may have %j as metadata',
    async (metadata) => {
      const { id } = (await register({ metadata })).body;
      expect((await rest.get(`/workers/${id}`)).body.metadata).toEqual(metadata);
      const changed = [metadata];
      await rest.post(`/workers/${id}/heartbeat`, { current_jobs: 0, metadata: changed });
      await rest.post(`/workers/${id}/heartbeat`, { current_jobs: 0 });
      expect((await rest.get(`/workers/${id}`)).body.metadata).toEqual(changed);
    },
  );

  it('SP-07 shows at once how many jobs it completed and how many failures it reported, also after it registers again', async () => {
    const worker_id = `counting-${randomUUID()}`;
    const queue_name = `q-${randomUUID()}`;
    const own = { queue_name, worker_id };
    await rest.put(`/queues/${queue_name}/config`, { settings: { retry_strategy: 'fixed', retry_delay_ms: 1 } });
    const jobs = Array.from({ length: 4 }, () => ({ payload: {}, max_retries: 1 }));
    await rest.post('/jobs/bulk', { queue_name, jobs });
    const take = async () => (await rest.post('/jobs/claim', { ...own, limit: 1 })).body.jobs[0];
    // Before the registration nothing counts.
    await rest.post(`/jobs/${(await take()).id}/complete`, { worker_id });
    await register(own);
    for (let n = 0; n < 2; n++) await rest.post(`/jobs/${(await take()).id}/complete`, { worker_id });
    for (let n = 0; n < 2; n++) {
      const failing = await eventually(async () => {
        const job = await take();
        expect(job).toBeDefined();
        return job;
      });
      await rest.post(`/jobs/${failing.id}/fail`, { worker_id, error: 'e' });
    }
    const counters = { jobs_processed: 2, jobs_failed: 2 };
    expect((await rest.get(`/workers/${worker_id}`)).body).toMatchObject(counters);
    await register(own);
    const listed = (await rest.get('/workers')).body as { id: string }[];
    expect(listed.find(({ id }) => id === worker_id)).toMatchObject(counters);
  });

  it('may choose its id and register again with it; other organizations may use the same id', async () => {
    const worker_id = `Worker_${randomUUID()}.1`;
    expect((await register({ worker_id })).body.id).toBe(worker_id);
    expect((await register({ worker_id, hostname: 'moved' })).status).toBe(201);
    expect((await rest.get(`/workers/${worker_id}`)).body.hostname).toBe('moved');
    const otherTenant = new RestCaller(stack.baseUrl, (await createTenant(stack.databaseUrls.superuserUrl)).key);
    expect(await register({ worker_id }, otherTenant)).toMatchObject({ status: 201, body: { id: worker_id } });
    expect((await rest.get(`/workers/${worker_id}`)).body.hostname).toBe('moved');
  });

  it('SP-38 sends heartbeats, and is listed by its latest heartbeat', async () => {
    const [first, second] = [(await register()).body.id, (await register()).body.id];
    const beat = await rest.post(`/workers/${first}/heartbeat`, { current_jobs: 3, status: 'draining' });
    expect([beat.status, beat.body]).toEqual([200, { status: 'draining', should_drain: true }]);
    expect((await rest.get('/workers')).body).toMatchObject([
      { id: first, current_jobs: 3, status: 'draining' },
      { id: second, current_jobs: 0, status: 'healthy' },
    ]);
    const send = (body: object) => rest.post(`/workers/${first}/heartbeat`, body);
    expect(problem(await send({}))).toMatchObject({ status: 422, details: { current_jobs: reason } });
    expect(problem(await send({ current_jobs: 1001 }))).toMatchObject({ status: 400 });
    expect(problem(await send({ current_jobs: 1, status: 'odd' }))).toMatchObject({ status: 400 });
  });

  it.each(['POST …/deregister', 'DELETE'])('BX-12 keeps its leases when it is deregistered (%s)', async (way) => {
    const { id } = (await register()).body;
    const job = (await rest.post('/jobs', { queue_name: 'mail', payload: {} })).body.id;
    const claimed = await rest.post('/jobs/claim', { queue_name: 'mail', worker_id: id });
    const { lease_id } = claimed.body.jobs[0];
    const left = way === 'DELETE' ? rest.delete(`/workers/${id}`) : rest.post(`/workers/${id}/deregister`);
    expect(await left).toMatchObject({ status: 204, body: null });
    expect((await rest.get(`/workers/${id}`)).body.status).toBe('offline');
    expect((await rest.get(`/jobs/${job}`)).body).toMatchObject({ status: 'processing', lease_id });
    const proof = { worker_id: id, lease_id };
    for (const move of ['heartbeat', 'complete']) {
      expect(await rest.post(`/jobs/${job}/${move}`, proof)).toMatchObject({ status: 200 });
    }
  });

  it.each<[string, string, object, number]>([
    ['queue_name', 'missing', { queue_name: undefined }, 422],
    ['queue_name', 'empty', { queue_name: '' }, 400],
    ['hostname', 'missing', { hostname: undefined }, 422],
    ['hostname', 'with a blank', { hostname: 'a b' }, 400],
    ['hostname', 'ended by a dot', { hostname: 'host.' }, 400],
    ['worker_id', 'malformed', { worker_id: 'a/b' }, 400],
    ['max_concurrency', 'out of bounds', { max_concurrency: 101 }, 400],
    ['metadata', 'too large', { metadata: { big: 'x'.repeat(65_536) } }, 400],
  ])('is rejected because %s is %s', async (field, _why, change, status) => {
    expect(problem(await register(change))).toEqual({ status, code: 'VALIDATION_ERROR', details: { [field]: reason } });
  });

  it('receives 404 if it is not registered', async () => {
    for (const id of [randomUUID(), 'nobody', 'a%2Fb', '%00']) {
      const responses = [
        await rest.get(`/workers/${id}`),
        await rest.post(`/workers/${id}/heartbeat`, { current_jobs: 0 }),
        await rest.post(`/workers/${id}/deregister`),
      ];
      expect(responses.map(problem)).toEqual(
        responses.map(() => expect.objectContaining({ status: 404, code: 'NOT_FOUND' })),
      );
    }
  });
});

describe('the limit on workers', () => {
  it('is never exceeded, and does not count a worker that registers again', async () => {
    const limits = { plan: 'free', customLimits: { max_workers: 2 } } as const;
    const capped = new RestCaller(stack.baseUrl, (await createTenant(stack.databaseUrls.superuserUrl, limits)).key);
    const ids = Array.from({ length: 6 }, () => randomUUID());
    const responses = await Promise.all(ids.map((worker_id) => register({ worker_id }, capped)));
    const accepted = responses.filter(({ status }) => status === 201);
    expect(accepted).toHaveLength(2);
    expect(responses.find(({ status }) => status === 429)?.body).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      error: 'limit_exceeded',
      resource: 'workers',
      current: 2,
      limit: 2,
      plan: 'free',
      upgrade_to: 'starter',
    });
    const worker_id = accepted[0]!.body.id;
    expect(await register({ worker_id }, capped)).toMatchObject({ status: 201 });
    await capped.delete(`/workers/${worker_id}`);
    const third = await register({}, capped);
    expect(third).toMatchObject({ status: 201 });
    // Coming back counts, by registration or by heartbeat.
    const beat = (status?: string) => capped.post(`/workers/${worker_id}/heartbeat`, { current_jobs: 0, status });
    for (const response of [await register({ worker_id }, capped), await beat(), await beat('degraded')]) {
      expect(response).toMatchObject({ status: 429, body: { resource: 'workers', current: 2, limit: 2 } });
    }
    expect((await capped.get(`/workers/${worker_id}`)).body.status).toBe('offline');
    await capped.delete(`/workers/${third.body.id}`);
    expect(await beat()).toMatchObject({ status: 200 });
    expect((await capped.get(`/workers/${worker_id}`)).body.status).toBe('healthy');
  });
});

describe('access to workers', () => {
  it('BX-01 a key cannot replace a worker of a queue outside its scope', async () => {
    const { id: worker_id } = (await register()).body;
    const scoped = new RestCaller(stack.baseUrl, await tenant.keyFor('sms'));
    expect(problem(await register({ worker_id, queue_name: 'sms' }, scoped))).toMatchObject({
      status: 409,
      code: 'CONFLICT',
    });
    expect((await rest.get(`/workers/${worker_id}`)).body).toMatchObject({ queue_name: 'mail', status: 'healthy' });
    expect(await register({ worker_id, queue_name: 'sms' })).toMatchObject({ status: 201 });
    expect(await register({ worker_id, queue_name: 'sms' }, scoped)).toMatchObject({ status: 201 });
  });

  it('BX-01 is limited to the key’s queues and organization', async () => {
    const { id } = (await register()).body;
    const scoped = new RestCaller(stack.baseUrl, await tenant.keyFor('sms'));
    expect(problem(await register({}, scoped))).toMatchObject({ status: 403, code: 'ACCESS_DENIED' });
    const otherTenant = new RestCaller(stack.baseUrl, (await createTenant(stack.databaseUrls.superuserUrl)).key);
    for (const caller of [scoped, otherTenant]) {
      expect((await caller.get('/workers')).body).toEqual([]);
      expect(problem(await caller.get(`/workers/${id}`))).toMatchObject({ status: 404 });
      expect(problem(await caller.post(`/workers/${id}/heartbeat`, { current_jobs: 9 }))).toMatchObject({
        status: 404,
      });
      expect(problem(await caller.delete(`/workers/${id}`))).toMatchObject({ status: 404 });
    }
    expect((await rest.get(`/workers/${id}`)).body).toMatchObject({ status: 'healthy', current_jobs: 0 });
    expect(problem(await new RestCaller(stack.baseUrl, null).get('/workers'))).toMatchObject({ status: 401 });
  });
});

describe('the dashboard', () => {
  it('shows the organization and the system', async () => {
    await rest.post('/jobs/bulk', { queue_name: 'mail', jobs: [{ payload: 1 }, { payload: 2 }] });
    const { id } = (await rest.post('/jobs/claim', { queue_name: 'mail', worker_id: 'w' })).body.jobs[0];
    await rest.post(`/jobs/${id}/complete`, { worker_id: 'w' });
    await rest.post('/queues/mail/pause');
    await register();
    const healthy = { database_status: 'healthy', cache_status: stack.hasRedis ? 'healthy' : 'disabled' };
    // Repeated because a check that takes 2 s fails.
    const { status, body } = await eventually(async () => {
      const answer = await rest.get('/dashboard');
      expect(answer.body.system).toMatchObject(healthy);
      return answer;
    });
    const number = expect.any(Number) as unknown as number;
    expect([status, body]).toEqual([
      200,
      {
        system: {
          version: reason,
          uptime_seconds: number,
          started_at: aTime,
          ...healthy,
          environment: reason,
        },
        jobs: {
          total: 2,
          pending: 1,
          processing: 0,
          completed_24h: 1,
          failed_24h: 0,
          covered_seconds_24h: 86_400,
          deadletter: 0,
          avg_wait_time_ms: number,
          avg_processing_time_ms: number,
        },
        queues: [{ name: 'mail', pending: 1, processing: 0, paused: true }],
        workers: { total: 1, healthy: 1, unhealthy: 0, offline: 0 },
        // The last minute depends on when the scheduler took its samples.
        recent_activity: expect.objectContaining({
          jobs_created_1h: 2,
          jobs_completed_1h: 1,
          jobs_failed_1h: 0,
          failed_attempts_1h: 0,
          covered_seconds_1h: 3_600,
        }),
      },
    ]);
  });
});
