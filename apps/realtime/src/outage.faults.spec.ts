import { createTestDatabase, eventually, startRedis, type TestDatabase, type TestRedis } from '@spooled/testing';
import { created, startRealtime, OtherServices, type RunningRealtime, type Tenant } from './realtime.fixture.js';
import { EventStreamClient, WebSocketClient } from './stream-clients.fixture.js';

describe('realtime during an outage of Redis', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let services: OtherServices;
  let realtime: RunningRealtime;
  let tenant: Tenant;

  const openAll = async () => ({
    events: await EventStreamClient.open(`${realtime.url}/events`, { 'x-api-key': tenant.key }),
    socket: await WebSocketClient.open(realtime.url, `?token=${tenant.key}`),
  });
  /** Publishes until received: after an outage the publisher may reconnect before the subscriber. */
  const untilReceived = async (name: string, receive: () => Promise<{ data: Record<string, unknown> }>) => {
    const received = receive();
    let done = false;
    void received.then(() => (done = true));
    await eventually(() => {
      services.publish(tenant.organizationId, created(name));
      expect(done).toBe(true);
    });
    expect((await received).data.job_id).toBe(name);
  };

  beforeAll(async () => {
    [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
    const stores = { ...database, redisUrl: redis.url };
    services = new OtherServices(stores);
    realtime = await startRealtime(stores);
    tenant = await services.tenant();
    await eventually(() => expect(services.redis.connected).toBe(true));
  });
  afterAll(async () => {
    await realtime.stop();
    await services.close();
    await Promise.all([database.drop(), redis.close()]);
  });

  it('keeps streams open, reports that Redis is down, admits new ones, and recovers', async () => {
    const before = await openAll();
    await redis.kill();
    await eventually(() => expect(services.redis.connected).toBe(false));

    const during = await openAll();
    const lost = { event: 'system.health', data: { data: { database: true, redis: false } } };
    // It is sent every 10 s, perhaps once more before the outage.
    await eventually(async () => expect(await before.events.next()).toMatchObject(lost), { timeoutMs: 20_000 });

    await redis.start();
    for (const { events, socket } of [before, during]) {
      await untilReceived('after the outage', () => events.nextEvent());
      await untilReceived('after the outage', () => socket.next() as never);
      events.close();
      socket.close();
    }
  }, 60_000);

  it('ends the stream of a key that was revoked during the outage', async () => {
    const { events, socket } = await openAll();
    await redis.kill();
    await eventually(() => expect(services.redis.connected).toBe(false));
    await services.revoke(tenant);
    let frame = await events.next();
    while (frame.comment !== 'ended') frame = await events.next();
    await socket.closed;
    await redis.start();
  });

  it('runs without Redis: streams open, and limits apply per process', async () => {
    const stores = { ...database, redisUrl: '' };
    const alone = await startRealtime(stores, { REALTIME_MAX_EVENT_STREAMS: '1' });
    const other = await services.tenant();
    const open = () => EventStreamClient.open(`${alone.url}/events`, { 'x-api-key': other.key });
    const stream = await open();
    await expect(open()).rejects.toMatchObject({ status: 429 });
    stream.close();
    (await eventually(open)).close();
    await alone.stop();
  });
});
