import { eventually, ManualClock, startRedis, type TestRedis } from '@spooled/testing';
import type { Redis } from 'ioredis';
import { TransportFixture } from '../commands/command-stream.fixture.js';
import type { RedisShard } from '../connection/redis-shards.js';
import { parseShards } from '../connection/shard-map.js';
import { DeliveryQueue } from './delivery-queue.js';
import { createDeliveryWorker, type DeliveryProcessor, type DeliveryWorker } from './delivery-worker.js';

let redis: TestRedis;
let fixture: TransportFixture;
const workers: DeliveryWorker[] = [];
beforeEach(async () => {
  redis = await startRedis();
  fixture = new TransportFixture();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.close()));
  await fixture.closeAll();
  await redis.close();
});

const startWorker = (processor: DeliveryProcessor) => {
  const worker = createDeliveryWorker(parseShards(redis.url)[0]!, processor, { log: fixture.log });
  workers.push(worker);
  return worker;
};
const openQueue = async (clock?: ManualClock) => {
  const shards = fixture.shards(redis.url, clock);
  const [shard] = shards.all as [RedisShard];
  const open = shard.open.bind(shard);
  let own: Redis | undefined;
  shard.open = (role) => (own = open(role));
  const queue = new DeliveryQueue(shards, { log: fixture.log });
  // It drops what it is given until its own connection is open.
  await eventually(() => expect([shards.connected, own?.status]).toEqual([true, 'ready']));
  return { queue, shards };
};
const delivery = (id: string, organizationId = 'a') => ({ id, organizationId });

it('queues a delivery once, even when it is dispatched twice', async () => {
  const { queue } = await openQueue();
  queue.dispatch([delivery('d1'), delivery('d2')]);
  queue.dispatch([delivery('d1')]);
  await queue.close();
  const done: string[] = [];
  startWorker(async (job) => void done.push(job.data.id));
  await eventually(() => expect(done).toHaveLength(2));
  expect(done.sort()).toEqual(['d1', 'd2']);
});

it('drops deliveries during an outage, and recovers after it', async () => {
  const { queue, shards } = await openQueue();
  const done: string[] = [];
  startWorker(async (job) => void done.push(job.data.id));
  queue.dispatch([delivery('before')]);
  await eventually(() => expect(done).toEqual(['before']));

  await redis.kill();
  await eventually(() => expect(shards.connected).toBe(false));
  queue.dispatch([delivery('meanwhile')]);
  await redis.start();
  await eventually(() => {
    queue.dispatch([delivery('after')]);
    expect(done).toContain('after');
  });
  expect(done).not.toContain('meanwhile');
});

it('BX-03 hands out of one organization a thousand in a second before those of others that come later', async () => {
  const { queue } = await openQueue(new ManualClock());
  const flood = Array.from({ length: 1_100 }, (_, i) => delivery(`flood ${i}`));
  queue.dispatch(flood);
  queue.dispatch([delivery('other', 'b')]);
  await queue.close();
  const done: string[] = [];
  startWorker(async (job) => void done.push(job.data.id));
  await eventually(() => expect(done).toHaveLength(1_101));
  expect(done.indexOf('other')).toBe(1_000);
});
