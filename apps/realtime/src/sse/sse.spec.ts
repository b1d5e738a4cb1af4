import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import {
  createTestDatabase,
  eventually,
  securityHeaders,
  startRedis,
  type TestDatabase,
  type TestRedis,
} from '@spooled/testing';
import { roles } from '@spooled/domain';
import {
  completed,
  created,
  heartbeat,
  statusChanged,
  startRealtime,
  OtherServices,
  type RunningRealtime,
  type Tenant,
} from '../realtime.fixture.js';
import { EventStreamClient, Refused } from '../stream-clients.fixture.js';

describe('server-sent events', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let services: OtherServices;
  let realtime: RunningRealtime;
  let tenant: Tenant;
  const clients: EventStreamClient[] = [];

  const stores = () => ({ ...database, redisUrl: redis.url });
  const open = async (path = '', { key = tenant.key, url = realtime.url, lastEventId = '' } = {}) => {
    const headers = { authorization: `Bearer ${key}`, ...(lastEventId && { 'last-event-id': lastEventId }) };
    const client = await EventStreamClient.open(`${url}/events${path}`, headers);
    clients.push(client);
    return client;
  };
  const publish = (...events: Parameters<OtherServices['publish']>[1][]) =>
    services.publish(tenant.organizationId, ...events);
  const ended = { comment: 'ended' };

  beforeAll(async () => {
    [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
    services = new OtherServices(stores());
    realtime = await startRealtime(stores(), {
      REALTIME_MAX_EVENT_STREAMS: '3',
      REALTIME_MAX_WATCHES: '2',
      REALTIME_MAX_UNSENT_BYTES: '65536',
    });
    await eventually(() => expect(services.redis.connected).toBe(true));
  });
  beforeEach(async () => {
    tenant = await services.tenant();
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });
  afterAll(async () => {
    await realtime.stop();
    await services.close();
    await Promise.all([database.drop(), redis.close()]);
  });

  it('SP-12 sends each event as a frame under its dotted name', async () => {
    const client = await open();
    expect(client.response.headers.get('content-type')).toBe('text/event-stream');
    expect(client.response.headers.get('cache-control')).toBe('no-cache');
    expect(client.response.headers.get('x-accel-buffering')).toBe('no');
    publish(created('j'), heartbeat('w'));
    expect(await client.nextOther()).toEqual({ event: 'job.created', data: created('j') });
    expect(await client.nextOther()).toEqual({ event: 'worker.heartbeat', data: heartbeat('w') });
  });

  it('resumes after the last event of a client, without gaps or duplicates', async () => {
    const first = await open();
    publish(created('seen'), created('missed in the same batch'));
    expect((await first.nextEvent()).data.job_id).toBe('seen');
    const { lastEventId } = first;
    first.close();
    const other = await services.tenant();
    services.publish(other.organizationId, created('theirs'));
    publish(created('missed'), heartbeat('w'));
    const again = await open('', { lastEventId: lastEventId!.replace(/\d+$/, '0') });
    publish(created('new'));
    const jobs: unknown[] = [];
    while (jobs.length < 4) jobs.push((await again.nextEvent()).data.job_id);
    expect(jobs).toEqual(['missed in the same batch', 'missed', undefined, 'new']);
    expect(await open('?events=job.created', { lastEventId: 'nonsense' })).toBeDefined();
  });

  it('SP-69 has the security headers, on streams and on refusals', async () => {
    const stream = await open();
    const refused = await fetch(`${realtime.url}/events`);
    const unknown = await fetch(`${realtime.url}/nothing`);
    expect([refused.status, unknown.status]).toEqual([401, 404]);
    for (const { headers } of [stream.response, refused, unknown]) {
      expect(Object.fromEntries(headers)).toMatchObject({ ...securityHeaders, 'x-api-version': '1' });
    }
  });

  it('may be read from other origins, in production only from configured ones', async () => {
    const headers = { origin: 'https://screens.example', authorization: `Bearer ${tenant.key}` };
    const production = await startRealtime(stores(), { CORS_ALLOWED_ORIGINS: 'https://other.example' });
    const developing = await startRealtime(stores(), { SPOOLED_ENV: 'development' });
    const allowed = async (url: string) => {
      const client = await EventStreamClient.open(`${url}/events`, headers);
      clients.push(client);
      return client.response.headers.get('access-control-allow-origin');
    };
    expect(await allowed(developing.url)).toBe(headers.origin);
    expect(await allowed(production.url)).toBeNull();
    await Promise.all([production.stop(), developing.stop()]);
  });

  it('BX-05 sends unnamed frames to clients that only handle message events', async () => {
    const client = await open('?format=message');
    publish(created('j'));
    expect(await client.nextOther()).toEqual({ data: created('j') });
  });

  it('sends events together to clients that ask for it, and refuses what is not a time', async () => {
    const client = await open('?gather_ms=20');
    publish(created('one'), created('two'));
    expect(await client.nextOther()).toEqual({ event: 'job.created', data: created('one') });
    expect(await client.nextOther()).toEqual({ event: 'job.created', data: created('two') });
    for (const value of ['1001', '-1', '1.5', 'x']) {
      const headers = { authorization: `Bearer ${tenant.key}` };
      const refused = await fetch(`${realtime.url}/events?gather_ms=${value}`, { headers });
      expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('gather_ms')]);
    }
  });

  it('BX-01 never sends events to another organization', async () => {
    const other = await services.tenant();
    const mine = await open();
    const theirs = await open('', other);
    services.publish(other.organizationId, created('theirs'));
    publish(created('mine'));
    expect((await mine.nextEvent()).data.job_id).toBe('mine');
    expect((await theirs.nextEvent()).data.job_id).toBe('theirs');
  });

  it('filters by queue, job, worker and names, and by the scope of the key', async () => {
    const byQueue = await open('?queue=reports&events=job.created');
    const byWorker = await open('?worker_id=w-2');
    const scoped = await open('', { key: await services.apiKey(tenant.organizationId, ['emails']) });
    publish(heartbeat('w-1'), completed('j-0'), created('j-1', 'reports'), heartbeat('w-2'), created('j-2', 'emails'));
    expect((await byQueue.nextEvent()).data.job_id).toBe('j-1');
    expect((await byWorker.nextEvent()).data.worker_id).toBe('w-2');
    expect((await scoped.nextEvent()).data.job_id).toBe('j-0');
    expect((await scoped.nextEvent()).data.job_id).toBe('j-2');
  });

  it.each([
    ['', 401],
    ['?queue=a%2Fb', 400],
    ['?queue=reports', 403],
  ])('BX-12 refuses %j with %i in the contract’s form', async (path, status) => {
    const key = path === '' ? 'sk_test_wrong' : await services.apiKey(tenant.organizationId, ['emails']);
    await expect(open(path, { key })).rejects.toMatchObject({
      status,
      headers: { 'x-api-version': '1', 'x-request-id': expect.any(String) },
      body: { code: expect.any(String), message: expect.any(String) },
    });
  });

  it.each([
    ['', '?queue_name=emails', 'queue_name', 'is unknown here'],
    ['', '?queue=emails&queue=reports', 'queue', 'may be given once'],
    ['', '?events=job.craeted', 'events', 'must name an event that exists'],
    ['/jobs/x', '?queue=emails', 'queue', 'is unknown here'],
    ['/queues/emails', '?events=job.created', 'events', 'is unknown here'],
  ])('SP-12 refuses what would send other events than the caller expects: %s%s', async (path, query, field, reason) => {
    const response = await fetch(`${realtime.url}/events${path}${query}`, {
      headers: { authorization: `Bearer ${tenant.key}` },
    });
    const details = { [field]: expect.stringContaining(reason) };
    expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ details })]);
  });

  it('accepts the key in the query, and does not log it', async () => {
    const response = await EventStreamClient.open(`${realtime.url}/events?token=${tenant.key}`);
    clients.push(response);
    await expect(open(`?token=${tenant.key}&queue=`)).resolves.toBeDefined();
    expect(realtime.logs.join('')).not.toContain(tenant.key);
  });

  it('counts events streams separately from watches, and releases slots in every case', async () => {
    const job = await services.job(tenant.organizationId);
    const first = await open();
    await Promise.all([open(), open(), open(`/jobs/${job}`), open('/queues/emails')]);
    await expect(open()).rejects.toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_EXCEEDED', limit: 3 } });
    await expect(open('/queues/emails')).rejects.toMatchObject({ status: 429 });
    first.close();
    await eventually(() => open());
  });

  it('releases the slot when a stream is refused or ends', async () => {
    for (let i = 0; i < 5; i++) {
      await expect(open('?queue=a%2Fb')).rejects.toMatchObject({ status: 400 });
      const unknown = await eventually(() => open(`/jobs/${randomUUID()}`));
      while ((await unknown.next()).comment !== 'ended');
    }
  });

  it('BX-12 sends the status of a job and its changes, and ends with the job', async () => {
    const job = await services.job(tenant.organizationId);
    const client = await open(`/jobs/${job.toUpperCase()}`);
    expect(await client.next()).toMatchObject({
      event: 'job.status',
      data: {
        type: 'JobStatusChange',
        data: { job_id: job, queue_name: 'emails', old_status: '', new_status: 'pending', status: 'pending' },
      },
    });
    publish(statusChanged(randomUUID(), 'pending', 'processing'), statusChanged(job, 'pending', 'processing'));
    expect(await client.next()).toEqual({ event: 'job.status', data: statusChanged(job, 'pending', 'processing') });
    publish(completed(job), statusChanged(job, 'processing', 'completed'));
    expect((await client.nextEvent()).data.new_status).toBe('completed');
    expect(await client.next()).toEqual(ended);
  });

  it('BX-01 returns "Job not found" for unknown, foreign, malformed and out-of-scope jobs alike', async () => {
    const foreign = await services.job((await services.tenant()).organizationId);
    const outOfScope = await services.job(tenant.organizationId, 'reports');
    const key = await services.apiKey(tenant.organizationId, ['emails']);
    for (const id of [foreign, outOfScope, randomUUID(), 'nonsense']) {
      const client = await eventually(() => open(`/jobs/${id}`, { key }));
      expect(await client.next()).toMatchObject({ event: 'error', data: { data: { message: 'Job not found' } } });
      expect(await client.next()).toEqual(ended);
    }
  });

  it('sends live statistics of a queue', async () => {
    await Promise.all([1, 2].map(() => services.job(tenant.organizationId, 'my emails')));
    const client = await open('/queues/my%20emails');
    expect(await client.next()).toMatchObject({
      event: 'queue.stats',
      data: { data: { queue_name: 'my emails', pending: 2, processing: 0, completed: 0, failed: 0 } },
    });
  });

  it('refuses a name that no queue can have, which PostgreSQL would refuse at each count', async () => {
    await expect(open('/queues/%00')).rejects.toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('ends the stream of a queue out of scope after the first bytes', async () => {
    const client = await open('/queues/reports', { key: await services.apiKey(tenant.organizationId, ['emails']) });
    expect(await client.next()).toEqual(ended);
  });

  it('SP-65 ends the streams of a revoked key', async () => {
    const client = await open();
    await services.revoke(tenant);
    expect(await client.nextOther()).toEqual(ended);
    await expect(open()).rejects.toMatchObject({ status: 401 });
  });

  it('BX-24 accepts the cookie of the console only with its header and from its own origin', async () => {
    const { host } = new URL(realtime.url);
    const cookie = `other=1; spooled_console=${await services.accessToken(tenant)}`;
    const outcome = async (headers: Record<string, string>) => {
      const opened = await EventStreamClient.open(`${realtime.url}/events`, { cookie, ...headers }).catch(
        (e: Refused) => e,
      );
      if (opened instanceof Refused) return opened.status;
      opened.close();
      return 200;
    };
    const marked = { 'x-spooled-console': '1' };
    expect(await outcome({ ...marked, origin: `http://${host}` })).toBe(200);
    expect(await outcome({})).toBe(401);
    expect(await outcome({ ...marked, 'x-spooled-console-session': 'another' })).toBe(401);
    expect(await outcome({ ...marked, origin: 'https://evil.test' })).toBe(401);
    expect(await outcome({ ...marked, authorization: 'Bearer wrong' })).toBe(401);
  });

  it.each(roles)('BX-23 opens the streams that the role %s permits', async (role) => {
    const key = await services.apiKey(tenant.organizationId, [], role);
    const job = await services.job(tenant.organizationId);
    const outcome = async (path: string) => {
      const opened = await open(path, { key }).catch((error: Refused) => error);
      if (opened instanceof Refused) return opened.body.code;
      opened.close();
      return 'open';
    };
    expect([await outcome(''), await outcome(`/jobs/${job}`)]).toEqual(['open', 'open']);
    // Statistics of queues are not for workers, as on their routes.
    expect(await outcome('/queues/emails')).toBe(role === 'worker' ? 'ACCESS_DENIED' : 'open');
  });

  it('BX-23 ends a stream once the role of the key no longer permits it, and no other', async () => {
    const [events, queue] = [await open(), await open('/queues/emails')];
    expect((await queue.next()).event).toBe('queue.stats');
    await services.setRole(tenant, 'worker');
    // Statistics come every 5 s until then.
    let last = await queue.next();
    while (last.event === 'queue.stats') last = await queue.next();
    expect(last).toEqual(ended);
    publish(created('j'));
    expect((await events.nextEvent()).data.job_id).toBe('j');
  });

  it('answers a request for the headers alone at once', async () => {
    const job = await services.job(tenant.organizationId);
    for (const path of ['', `/jobs/${job}`, '/queues/emails']) {
      const response = await fetch(`${realtime.url}/events${path}`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${tenant.key}` },
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    }
  });

  it('disconnects a client that does not read', async () => {
    const request = get(`${realtime.url}/events?token=${tenant.key}`);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.pause();
    response.on('error', () => undefined);
    const closed = new Promise((resolve) => response.once('close', resolve));
    const quick = await open();
    while (!realtime.logs.some((line) => line.includes('"reason":"slow_reader"'))) {
      publish(completed('j', JSON.stringify('x'.repeat(50_000))));
      expect((await quick.nextEvent()).data.job_id).toBe('j');
    }
    response.resume();
    await closed;
  });

  it('ends its streams when the service stops', async () => {
    const replica = await startRealtime(stores());
    const job = await services.job(tenant.organizationId);
    const streams = [await open('', { url: replica.url }), await open(`/jobs/${job}`, { url: replica.url })];
    expect((await streams[1]!.next()).event).toBe('job.status');
    await replica.stop();
    for (const stream of streams) expect(await stream.nextOther()).toEqual(ended);
  });
});
