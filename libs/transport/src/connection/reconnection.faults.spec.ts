import { eventually } from '@spooled/testing';
import { DeliveryQueue } from '../deliveries/delivery-queue.js';
import { createDeliveryWorker } from '../deliveries/delivery-worker.js';
import { RedisEventPublisher } from '../events/event-publisher.js';
import { RedisEventSubscriber } from '../events/event-subscriber.js';
import { Failover, failover, organizationId, setups } from './failover.fixture.js';
import { parseShards } from './shard-map.js';

describe.each(setups)('SP-94 connections to Redis %s', (_, startServers) => {
  it.concurrent('SP-65 events reach open subscriptions again, and deliveries are queued and processed', async () => {
    await using used = await Failover.open(startServers);
    const { redis, fixture } = used;
    const shards = fixture.shards(redis.url);
    const shard = shards.shardOf(organizationId);
    await eventually(() => expect(shards.connected).toBe(true));
    const subscriber = new RedisEventSubscriber(shards, fixture.log);
    const publisher = new RedisEventPublisher(fixture.shards(redis.url));
    const received = new Set<string>();
    subscriber.subscribe(organizationId, (events) => events.forEach(({ text }) => received.add(text)));
    await subscriber.ready(organizationId);
    const queue = new DeliveryQueue(shards, { log: fixture.log });
    const done: string[] = [];
    const address = parseShards(redis.url).find(({ name }) => name === shard.name)!;
    const worker = createDeliveryWorker(address, async ({ data }) => void done.push(data.id), { log: fixture.log });
    try {
      const roundTrip = async (id: string) => {
        const event = { type: 'Ping', data: { timestamp: id } } as const;
        await eventually(() => {
          publisher.publish([{ organizationId, events: [event] }]);
          queue.dispatch([{ id, organizationId }]);
          expect(received).toContain(JSON.stringify(event));
          expect(done).toContain(id);
        }, failover);
      };
      await roundTrip('before');
      await (await redis.primaryOf(organizationId)).kill();
      await roundTrip('after');
    } finally {
      await worker.close(true);
      await queue.close();
    }
  }, 120_000);

  it.concurrent('starts without any server, and logs that the connection is lost and that it is back', async () => {
    await using used = await Failover.open(startServers);
    const { redis, fixture } = used;
    await redis.kill();
    const shards = fixture.shards(redis.url);
    const logged = (level: string) => {
      const lines = fixture.log.lines.filter(
        (line) => line.level === level && line.message.startsWith('Redis connection'),
      );
      return new Set(lines.map(({ fields }) => (fields as { shard: string }).shard)).size;
    };
    await eventually(() => expect(logged('warn')).toBe(shards.all.length));
    expect(fixture.log.lines.map(({ fields }) => (fields as { reason: string }).reason).join()).toContain(
      'ECONNREFUSED',
    );
    await redis.start();
    await eventually(() => expect(shards.connected).toBe(true), failover);
    await eventually(() => expect(logged('info')).toBe(shards.all.length));
  }, 120_000);
});
