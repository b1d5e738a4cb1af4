import { createTestDatabase, eventually, startRedis, type TestDatabase, type TestRedis } from '@spooled/testing';
import { created, startRealtime, Surroundings, type RunningRealtime, type Tenant } from './realtime.fixture.js';
import { EventStreamClient, WebSocketClient } from './stream-clients.fixture.js';

describe('realtime through an outage of Redis', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let world: Surroundings;
  let realtime: RunningRealtime;
  let tenant: Tenant;

  const openAll = async () => ({
    events: await EventStreamClient.open(`${realtime.url}/events`, { 'x-api-key': tenant.key }),
    socket: await WebSocketClient.open(realtime.url, `?token=${tenant.key}`),
  });
  /** Publishes until somebody hears it: right after an outage the publisher may be connected before the subscriber. */
  const untilHeard = async (name: string, hear: () => Promise<{ data: Record<string, unknown> }>) => {
    const heard = hear();
    let done = false;
    void heard.then(() => (done = true));
    await eventually(() => {
      world.publish(tenant.organizationId, created(name));
      expect(done).toBe(true);
    });
    expect((await heard).data.job_id).toBe(name);
  };

  beforeAll(async () => {
    [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
    const stores = { ...database, redisUrl: redis.url };
    world = new Surroundings(stores);
    realtime = await startRealtime(stores);
    tenant = await world.tenant();
    await eventually(() => expect(world.redis.connected).toBe(true));
  });
  afterAll(async () => {
    await realtime.stop();
    await world.close();
    await Promise.all([database.drop(), redis.close()]);
  });

  it('keeps streams open, says that Redis is down, lets new ones in, and resumes by itself', async () => {
    const before = await openAll();
    await redis.kill();
    await eventually(() => expect(world.redis.connected).toBe(false));

    const during = await openAll();
    const health = await before.events.next();
    expect(health).toMatchObject({ event: 'system.health', data: { data: { database: true, redis: false } } });

    await redis.start();
    for (const { events, socket } of [before, during]) {
      await untilHeard('after the outage', () => events.nextEvent());
      await untilHeard('after the outage', () => socket.next() as never);
      events.close();
      socket.close();
    }
  });

  it('ends the stream of a key that was revoked while Redis could not say so', async () => {
    const { events, socket } = await openAll();
    await redis.kill();
    await eventually(() => expect(world.redis.connected).toBe(false));
    await world.revoke(tenant);
    let frame = await events.next();
    while (frame.comment !== 'ended') frame = await events.next();
    await socket.closed;
    await redis.start();
  });

  it('runs without any Redis: streams open, and caps hold in each process', async () => {
    const stores = { ...database, redisUrl: '' };
    const alone = await startRealtime(stores, { REALTIME_MAX_EVENT_STREAMS: '1' });
    const other = await world.tenant();
    const open = () => EventStreamClient.open(`${alone.url}/events`, { 'x-api-key': other.key });
    const stream = await open();
    await expect(open()).rejects.toMatchObject({ status: 429 });
    stream.close();
    (await eventually(open)).close();
    await alone.stop();
  });
});
