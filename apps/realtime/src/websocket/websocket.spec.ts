import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
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
  startRealtime,
  OtherServices,
  type RunningRealtime,
  type Tenant,
} from '../realtime.fixture.js';
import type { Refused } from '../stream-clients.fixture.js';
import { WebSocketClient } from '../stream-clients.fixture.js';

describe('WebSocket', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let services: OtherServices;
  let realtime: RunningRealtime;
  let tenant: Tenant;
  const clients: WebSocketClient[] = [];

  const stores = () => ({ ...database, redisUrl: redis.url });
  const open = async (query = `?token=${tenant.key}`, headers?: Record<string, string>, url = realtime.url) => {
    const client = await WebSocketClient.open(url, query, { headers });
    clients.push(client);
    return client;
  };
  const refusal = (query?: string, headers?: Record<string, string>): Promise<Refused> =>
    open(query, headers).then(
      () => Promise.reject(new Error('was let in')),
      (error: Refused) => error,
    );
  const publish = (...events: Parameters<OtherServices['publish']>[1][]) =>
    services.publish(tenant.organizationId, ...events);

  beforeAll(async () => {
    [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
    services = new OtherServices(stores());
    realtime = await startRealtime(stores(), { REALTIME_MAX_WEBSOCKETS: '5', REALTIME_MAX_UNSENT_BYTES: '65536' });
    await eventually(() => expect(services.redis.connected).toBe(true));
  });
  beforeEach(async () => {
    tenant = await services.tenant();
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.socket.terminate();
  });
  afterAll(async () => {
    await realtime.stop();
    await services.close();
    await Promise.all([database.drop(), redis.close()]);
  });

  it('SP-12 sends each event of the organization as one text frame, in order', async () => {
    const client = await open();
    const job = randomUUID();
    publish(created(job), completed(job, '{"sent":true}'));
    publish(heartbeat('w-1'));
    expect([await client.next(), await client.next(), await client.next()]).toEqual([
      created(job),
      { type: 'JobCompleted', data: { ...completed(job).data, result: { sent: true } } },
      heartbeat('w-1'),
    ]);
  });

  it.each(roles)('BX-23 is open to a key with the role %s, with its commands', async (role) => {
    const client = await open(`?token=${await services.apiKey(tenant.organizationId, [], role)}`);
    await client.command({ cmd: 'Subscribe', queue: 'emails' });
    publish(created('other', 'reports'), created('mine'));
    expect((await client.next()).data.job_id).toBe('mine');
  });

  it('BX-13 sends results with their numbers as the worker sent them', async () => {
    const client = await open();
    const result = '{"id":9007199254740993,"list":[1.50,{"x":"9007199254740993,"}]}';
    const frame = once(client.socket, 'message');
    publish(completed(randomUUID(), result));
    expect(String((await frame)[0])).toContain(`"result":${result}`);
  });

  it('BX-01 never sends events to another organization', async () => {
    const other = await services.tenant();
    const mine = await open();
    const theirs = await open(`?token=${other.key}`);
    services.publish(other.organizationId, created('theirs'));
    services.publish(tenant.organizationId, created('mine'));
    services.publish(other.organizationId, created('theirs too'));
    expect((await mine.next()).data.job_id).toBe('mine');
    expect((await theirs.next()).data.job_id).toBe('theirs');
    expect((await theirs.next()).data.job_id).toBe('theirs too');
  });

  it('BX-05 accepts a key wherever SDKs send it', async () => {
    await open(`?api_key=${tenant.key}`);
    await open('', { authorization: `Bearer ${tenant.key}` });
    await open('', { 'x-api-key': tenant.key });
  });

  it.each([
    ['nothing', ''],
    ['an unknown key', `?token=sk_test_${'a'.repeat(43)}`],
    ['an access token', '?token=eyJhbGciOiJIUzI1NiJ9.e30.x'],
  ])('refuses %s with 401 before the upgrade', async (_what, query) => {
    const { status, headers, body } = await refusal(query);
    expect(status).toBe(401);
    expect(headers).toMatchObject({ ...securityHeaders, 'x-api-version': '1' });
    expect(body).toMatchObject({ code: 'UNAUTHORIZED', message: expect.any(String) });
  });

  it('returns the same 401 for a plain GET, and 400 when the key is valid', async () => {
    expect((await fetch(`${realtime.url}/ws`)).status).toBe(401);
    expect((await fetch(`${realtime.url}/ws?token=${tenant.key}`)).status).toBe(400);
    expect(realtime.logs.join('')).not.toContain(tenant.key);
  });

  it.each([
    ['queue=a%20b', 'queue'],
    ['queue_name=emails', 'queue_name'],
    ['format=message', 'format'],
  ])('SP-12 names a malformed or unknown parameter: %s', async (query, name) => {
    const { status, body } = await refusal(`?token=${tenant.key}&${query}`);
    expect([status, body]).toEqual([400, expect.objectContaining({ details: { [name]: expect.any(String) } })]);
  });

  it('sends only events that match a subscription, in both formats and any case', async () => {
    const client = await open();
    await client.command({ cmd: 'subscribe', queue: 'emails', job_id: '' });
    await client.command({ cmd: 'Subscribe', queue: null, job_id: 'j-1' });
    publish(heartbeat('w'), created('j-2', 'reports'), created('j-3', 'emails'), created('j-1', 'reports'));
    expect((await client.next()).data.job_id).toBe('j-3');
    expect((await client.next()).data.job_id).toBe('j-1');

    await client.command({ cmd: 'UNSUBSCRIBE', queue: 'emails' });
    publish(created('j-3', 'emails'), created('j-1', 'reports'));
    expect((await client.next()).data.job_id).toBe('j-1');

    await client.command({ cmd: 'unsubscribe' });
    publish(heartbeat('w'));
    expect((await client.next()).type).toBe('WorkerHeartbeat');
  });

  it('SP-01 BX-05 replies to commands of the older Go client, and only those', async () => {
    const client = await open();
    const filter = { queue_name: 'emails', events: ['job.completed'] };
    client.send({ type: 'subscribe', request_id: 'sub-1', filter });
    expect(await client.next()).toEqual({ type: 'subscribed', request_id: 'sub-1' });
    publish(created('j'), completed('j'));
    expect((await client.next()).type).toBe('JobCompleted');
    for (const refused of [{ queue_name: 7 }, { events: ['job.craeted'] }]) {
      client.send({ type: 'subscribe', request_id: 'sub-2', filter: refused });
      expect(await client.next()).toEqual({ type: 'error', request_id: 'sub-2', error: expect.any(String) });
    }
    client.send({ type: 'unsubscribe', request_id: 'sub-3', filter });
    expect(await client.next()).toEqual({ type: 'unsubscribed', request_id: 'sub-3' });
    publish(heartbeat('w'));
    expect((await client.next()).type).toBe('WorkerHeartbeat');
  });

  it('filters by the names of events in the query, in any case', async () => {
    const client = await open(`?token=${tenant.key}&events=Job.Completed,worker.heartbeat`);
    publish(created('j'), completed('j'), heartbeat('w'));
    expect((await client.next()).type).toBe('JobCompleted');
    expect((await client.next()).type).toBe('WorkerHeartbeat');
  });

  it('restricts a scoped key to its queues', async () => {
    const key = await services.apiKey(tenant.organizationId, ['emails']);
    expect((await refusal(`?token=${key}&queue=reports`)).status).toBe(403);
    const client = await open(`?token=${key}`);
    await client.command({ cmd: 'Subscribe', queue: 'reports' });
    publish(heartbeat('w'), created('j-1', 'reports'), created('j-2', 'emails'));
    expect((await client.next()).data.job_id).toBe('j-2');
  });

  it('ignores unknown commands and closes with 1009 above the frame limit', async () => {
    const client = await open();
    for (const text of ['not json', '[]', 'null', '{"cmd":"Dance"}', '{"cmd":"Subscribe","queue":{}}']) {
      await client.command(text);
    }
    client.send('x'.repeat(64 * 1024 + 1));
    expect((await client.closed).code).toBe(1009);
  });

  it('closes the connection of a refused handshake, also of a client that keeps its half open', async () => {
    const socket = connect({ port: Number(new URL(realtime.url).port), host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined).resume();
    socket.write('GET /api/v1/ws HTTP/1.1\r\nhost: spooled\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
    await once(socket, 'end');
    // Only a closed connection refuses what is sent.
    await eventually(() => {
      socket.write('more');
      expect(socket.destroyed).toBe(true);
    });
  });

  it('refuses sockets beyond the limit over all replicas, and releases the slot when one closes', async () => {
    const replica = await startRealtime(stores(), { REALTIME_MAX_WEBSOCKETS: '5' });
    try {
      const query = `?token=${tenant.key}`;
      const first = await open();
      await Promise.all([open(), open(), open(query, {}, replica.url), open(query, {}, replica.url)]);
      const { status, headers, body } = await refusal();
      expect([status, body.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      await expect(open(query, {}, replica.url)).rejects.toMatchObject({ status: 429 });
      first.close();
      await eventually(() => open(query, {}, replica.url));
    } finally {
      await replica.stop();
    }
  });

  it('SP-65 drops the streams of a revoked key, and no others', async () => {
    const other = { ...tenant, key: await services.apiKey(tenant.organizationId) };
    const revoked = await open();
    const kept = await open(`?token=${other.key}`);
    await services.revoke(tenant);
    const { code } = await revoked.closed;
    expect(code).toBe(1006);
    publish(created('j'));
    expect((await kept.next()).data.job_id).toBe('j');
    expect((await refusal()).status).toBe(401);
  });

  it('applies a change of scope while the stream is open', async () => {
    const client = await open();
    await services.rescope(tenant, ['reports']);
    await eventually(async () => {
      publish(created('hidden', 'emails'), created('seen', 'reports'));
      const seen = [(await client.next()).data.job_id];
      if (seen[0] === 'hidden') await client.next();
      expect(seen).toEqual(['seen']);
    });
  });

  it('disconnects a client that does not read, with a reason, and serves the others', async () => {
    const slow = await open();
    const quick = await open();
    slow.socket.pause();
    const ended = () => realtime.logs.join('').includes('"reason":"slow_reader"');
    // The kernel takes some of it.
    for (let sent = 0; sent < 400 && !ended(); sent++) {
      const received = once(quick.socket, 'message');
      publish(completed('j', JSON.stringify('x'.repeat(50_000))));
      await received;
    }
    await eventually(() => expect(ended()).toBe(true));
    slow.socket.resume();
    expect([1006, 1008]).toContain((await slow.closed).code);
  });

  it('SP-68 refuses in the handshake while the service stops, instead of accepting and dropping', async () => {
    // Another replica for each try: one that stops listens for 2 s.
    await eventually(async () => {
      const replica = await startRealtime(stores());
      const slow = await open(`?token=${tenant.key}`, {}, replica.url);
      // It does not answer the close frame, so that the service waits for it.
      slow.socket.pause();
      const stopped = replica.stop();
      try {
        const refused = { status: 503, body: { code: 'SERVICE_UNAVAILABLE' } };
        await eventually(() => expect(open(`?token=${tenant.key}`, {}, replica.url)).rejects.toMatchObject(refused), {
          timeoutMs: 2_000,
        });
      } finally {
        slow.socket.terminate();
        await stopped;
      }
    });
  });

  it('closes with 1001 when the service stops', async () => {
    const replica = await startRealtime(stores());
    const client = await open(`?token=${tenant.key}`, {}, replica.url);
    await replica.stop();
    expect((await client.closed).code).toBe(1001);
  });
});
