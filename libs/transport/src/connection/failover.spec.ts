import { TransportLostError } from '@spooled/contracts';
import { eventually, startSentinel, type TestRedis } from '@spooled/testing';
import { TransportFixture, purge, purged } from '../commands/command-stream.fixture.js';
import { DeliveryQueue } from '../deliveries/delivery-queue.js';
import { createDeliveryWorker } from '../deliveries/delivery-worker.js';
import { RedisEventPublisher } from '../events/event-publisher.js';
import { RedisEventSubscriber } from '../events/event-subscriber.js';
import { parseShards } from './shard-map.js';

const organizationId = 'an-organization';
/** Detection takes 3 s in these tests; the rest is for a busy machine. */
const failover = { timeoutMs: 45_000 };

describe.each([['sentinel', startSentinel]])('BX-20 SP-94 Redis with %s', (_, startServers) => {
  let redis: TestRedis;
  let fixture: TransportFixture;
  beforeEach(async () => {
    redis = await startServers();
    fixture = new TransportFixture();
  }, 60_000);
  afterEach(async () => {
    await fixture.closeAll();
    await redis.close();
  });

  /** Sends commands one after another until stopped; each must be answered or fail as lost. */
  const startLoad = async () => {
    const ran = new Set<string>();
    await fixture.engine(redis.url, ({ id }) => (ran.add(id), purged(1)));
    const client = fixture.client(redis.url);
    await eventually(() => expect(client.state(organizationId)).toBe('ready'));
    const answered: string[] = [];
    const errors: unknown[] = [];
    let stopped = false;
    const send = async () => {
      while (!stopped) {
        const command = purge({ organizationId });
        await client.send(command).then(
          () => answered.push(command.id),
          (error: unknown) => (errors.push(error), new Promise((resolve) => setTimeout(resolve, 5))),
        );
      }
    };
    const senders = [send(), send(), send(), send()];
    const stop = async () => {
      stopped = true;
      await Promise.all(senders);
      expect(errors.filter((error) => !(error instanceof TransportLostError))).toEqual([]);
      expect(answered.filter((id) => !ran.has(id))).toEqual([]);
    };
    return { answered, errors, stop };
  };

  it.each(['is killed', 'hangs'])(
    'KF-18 commands resume at the new primary after the old one %s',
    async (how) => {
      const { answered, errors, stop } = await startLoad();
      await eventually(() => expect(answered.length).toBeGreaterThan(50));
      const primary = await redis.primaryOf(organizationId);
      if (how === 'hangs') primary.pause();
      else await primary.kill();
      await eventually(() => expect(errors.length).toBeGreaterThan(0));
      const before = answered.length;
      await eventually(() => expect(answered.length).toBeGreaterThan(before + 50), failover);
      expect((await redis.primaryOf(organizationId)).port).not.toBe(primary.port);
      // It joins as a replica, and does not receive anything meanwhile.
      if (how === 'hangs') primary.resume();
      else await primary.start();
      const resumed = answered.length;
      await eventually(() => expect(answered.length).toBeGreaterThan(resumed + 50), failover);
      await stop();
    },
    120_000,
  );

  it('SP-65 events reach open subscriptions again, and deliveries are queued and processed', async () => {
    const shards = fixture.shards(redis.url);
    const shard = shards.shardOf(organizationId);
    await eventually(() => expect(shards.connected).toBe(true));
    const subscriber = new RedisEventSubscriber(shards, fixture.log);
    const publisher = new RedisEventPublisher(fixture.shards(redis.url));
    const received: string[] = [];
    subscriber.subscribe(organizationId, (events) => received.push(...events.map(({ id }) => id)));
    await subscriber.ready(organizationId);
    const queue = new DeliveryQueue(shards, { log: fixture.log });
    const done: string[] = [];
    const address = parseShards(redis.url).find(({ name }) => name === shard.name)!;
    const worker = createDeliveryWorker(address, async ({ data }) => void done.push(data.id), { log: fixture.log });
    try {
      const roundTrip = async (id: string) => {
        const before = received.length;
        await eventually(() => {
          publisher.publish([{ organizationId, events: [{ type: 'queue.paused' }] as never }]);
          queue.dispatch([{ id, organizationId }]);
          expect(received.length).toBeGreaterThan(before);
          expect(done).toContain(id);
        }, failover);
      };
      await roundTrip('before');
      await (await redis.primaryOf(organizationId)).kill();
      await eventually(() => expect(subscriber.isSubscribed(organizationId)).toBe(false));
      await roundTrip('after');
    } finally {
      await worker.close(true);
      await queue.close();
    }
  }, 120_000);

  it('logs one line when the connection is lost and one when it is back, and starts without any server', async () => {
    await redis.kill();
    const shards = fixture.shards(redis.url);
    const lines = () => fixture.log.lines.filter(({ message }) => message.startsWith('Redis connection'));
    await eventually(() => expect(lines().length).toBeGreaterThan(0));
    await redis.start();
    await eventually(() => expect(shards.connected).toBe(true), failover);
    expect(lines().filter(({ level }) => level === 'warn')).toHaveLength(shards.all.length);
    expect(lines().filter(({ level }) => level === 'info')).toHaveLength(shards.all.length);
  }, 120_000);
});
