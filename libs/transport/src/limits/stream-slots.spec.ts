import { randomUUID } from 'node:crypto';
import { eventually, ManualClock, startRedis, type TestRedis } from '@spooled/testing';
import { MemoryLog } from '../commands/command-stream.fixture.js';
import { keys } from '../connection/keys.js';
import { RedisShards } from '../connection/redis-shards.js';
import { parseShards } from '../connection/shard-map.js';
import { StreamSlots } from './stream-slots.js';

describe('StreamSlots', () => {
  let redis: TestRedis;
  let shards: RedisShards;
  const clock = new ManualClock();
  const fixture: StreamSlots[] = [];
  const process = (): StreamSlots => {
    const slots = new StreamSlots(shards, randomUUID());
    fixture.push(slots);
    return slots;
  };

  beforeAll(async () => {
    redis = await startRedis();
    const log = new MemoryLog();
    shards = new RedisShards({ shards: parseShards(redis.url), connectionName: 'spec', log, clock });
    await eventually(() => expect(shards.connected).toBe(true));
  });
  afterEach(() => fixture.splice(0).forEach((slots) => slots.close()));
  afterAll(async () => {
    await shards.close();
    await redis.close();
  });

  it('never grants more slots than the limit to concurrent callers of several processes', async () => {
    const [one, other, organization] = [process(), process(), randomUUID()];
    const asked = Array.from({ length: 30 }, (_, i) => (i % 2 ? one : other).take(organization, 'websocket', 10));
    const given = (await Promise.all(asked)).filter((slot) => slot !== null);
    expect(given).toHaveLength(10);
    expect(await one.take(organization, 'events', 10)).not.toBeNull();
  });

  it('releases a slot once', async () => {
    const [slots, organization] = [process(), randomUUID()];
    const first = await slots.take(organization, 'events', 2);
    await slots.take(organization, 'events', 2);
    first!.release();
    first!.release();
    expect(await slots.take(organization, 'events', 2)).not.toBeNull();
    expect(await slots.take(organization, 'events', 2)).toBeNull();
  });

  it('renews the slots of running processes and frees those of crashed ones', async () => {
    const [killed, running, organization] = [process(), process(), randomUUID()];
    const { commands } = shards.shardOf(organization);
    const key = keys.openStreams(organization, 'websocket');
    /** Slots expire by the clock of Redis: their ends come closer instead. */
    const halfMinutePasses = async () => {
      for (const id of await commands.zrange(key, 0, '-1')) await commands.zincrby(key, -30_000, id);
      await clock.advance(30_000);
      // Behind the renewals.
      await commands.ping();
    };
    await killed.take(organization, 'websocket', 2);
    await running.take(organization, 'websocket', 2);
    killed.close();
    await halfMinutePasses();
    expect(await process().take(organization, 'websocket', 2)).toBeNull();
    await halfMinutePasses();
    expect(await process().take(organization, 'websocket', 2)).not.toBeNull();
    expect(await process().take(organization, 'websocket', 2)).toBeNull();
  });

  it('counts per process while Redis is down, and adds open streams when it is back', async () => {
    const [slots, organization] = [process(), randomUUID()];
    await redis.stop();
    await eventually(() => expect(shards.connected).toBe(false));
    expect(await slots.take(organization, 'websocket', 1)).not.toBeNull();
    expect(await slots.take(organization, 'websocket', 1)).toBeNull();
    await redis.start();
    await eventually(() => expect(shards.connected).toBe(true));
    await clock.advance(20_000);
    expect(await process().take(organization, 'websocket', 1)).toBeNull();
  });
});
