import { randomUUID } from 'node:crypto';
import { eventually, startRedis, type TestRedis } from '@spooled/testing';
import { RedisShards } from '../connection/redis-shards.js';
import { parseShards } from '../connection/shard-map.js';
import { PushShortages } from './push-shortages.js';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
let redis: TestRedis;
let shards: RedisShards;
let shortages: PushShortages;

beforeAll(async () => {
  redis = await startRedis();
  shards = new RedisShards({ shards: parseShards(redis.url), connectionName: 'spec', log: silent });
  await eventually(() => expect(shards.connected).toBe(true));
  // Not the time of production, after which it is not asked for a while.
  shortages = new PushShortages(shards, { log: silent, timeoutMs: 10_000 });
});
afterAll(async () => {
  await shards?.close();
  await redis?.close();
});

describe('a shortage of push calls', () => {
  const full = { code: 'no_free_push_call', running: 0, inUse: 512, limit: 512, hasBytes: true } as const;

  it('BX-04 keeps its beginning and has the latest figures while its reason is the same', async () => {
    const org = randomUUID();
    const { commands } = shards.shardOf(org);
    expect(await shortages.find(org, 'q')).toBeNull();
    shortages.report(org, 'q', full, 60_000);
    const { since } = (await eventually(async () => {
      const found = await shortages.find(org, 'q');
      expect(found).toEqual({ ...full, since: expect.any(String) });
      return found;
    }))!;
    await commands.hset(`org:${org}:queue:q:shortage`, 'since', Date.parse(since) - 5_000);
    shortages.report(org, 'q', { ...full, running: 1 }, 60_000);
    const began = new Date(Date.parse(since) - 5_000).toISOString();
    await eventually(async () => expect(await shortages.find(org, 'q')).toEqual({ ...full, running: 1, since: began }));
    const capped = { code: 'push_call_limit', running: 5, limit: 5 } as const;
    shortages.report(org, 'q', capped, 60_000);
    await eventually(async () => expect(await shortages.find(org, 'q')).toMatchObject(capped));
    expect((await shortages.find(org, 'q'))!.since).not.toBe(began);
    expect(await shortages.find(org, 'other')).toBeNull();
    expect(await commands.pttl(`org:${org}:queue:q:shortage`)).toBeGreaterThan(0);
  });

  it('BX-04 ends by itself when it is reported no more', async () => {
    const org = randomUUID();
    shortages.report(org, 'q', full, 1);
    await eventually(async () => expect(await shortages.find(org, 'q')).toBeNull());
  });

  it('BX-04 is unknown while Redis is down', async () => {
    const gone = new RedisShards({ shards: parseShards('redis://127.0.0.1:9'), connectionName: 'spec', log: silent });
    expect(await new PushShortages(gone, { log: silent }).find(randomUUID(), 'q')).toBeUndefined();
    await gone.close();
  });
});
