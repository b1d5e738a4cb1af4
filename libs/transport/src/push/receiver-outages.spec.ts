import { randomUUID } from 'node:crypto';
import { eventually, startRedis, type TestRedis } from '@spooled/testing';
import { RedisShards } from '../connection/redis-shards.js';
import { parseShards } from '../connection/shard-map.js';
import { ReceiverOutages } from './receiver-outages.js';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
let redis: TestRedis;
let shards: RedisShards;
let outages: ReceiverOutages;

beforeAll(async () => {
  redis = await startRedis();
  shards = new RedisShards({ shards: parseShards(redis.url), connectionName: 'spec', log: silent });
  await eventually(() => expect(shards.connected).toBe(true));
  // Not the time of production, after which it is not asked for a while.
  outages = new ReceiverOutages(shards, { log: silent, timeoutMs: 10_000 });
});
afterAll(async () => {
  await shards?.close();
  await redis?.close();
});

describe('an outage of a push receiver', () => {
  it('BX-04 keeps its beginning over further pauses, until it ends', async () => {
    const org = randomUUID();
    expect(await outages.find(org, 'q')).toBeNull();
    outages.report(org, 'q', 1_000);
    const first = await eventually(async () => {
      const found = await outages.find(org, 'q');
      expect(found).toBeTruthy();
      return found!;
    });
    expect(Date.parse(first.nextCallAt) - Date.parse(first.since)).toBe(1_000);
    outages.report(org, 'q', 60_000);
    await eventually(async () => {
      const next = (await outages.find(org, 'q'))!;
      expect(next.since).toBe(first.since);
      expect(Date.parse(next.nextCallAt) - Date.parse(next.since)).toBeGreaterThanOrEqual(60_000);
    });
    expect([await outages.find(org, 'other'), await outages.find(randomUUID(), 'q')]).toEqual([null, null]);
    outages.end(org, 'q');
    await eventually(async () => expect(await outages.find(org, 'q')).toBeNull());
  });

  it('BX-04 of a receiver that jobs name is apart from a queue of that name', async () => {
    const org = randomUUID();
    const origin = 'https://a.example:8443';
    outages.report(org, { origin }, 1_000);
    await eventually(async () => expect(await outages.find(org, { origin })).toBeTruthy());
    expect([await outages.find(org, origin), await outages.find(randomUUID(), { origin })]).toEqual([null, null]);
    outages.end(org, { origin });
    await eventually(async () => expect(await outages.find(org, { origin })).toBeNull());
  });

  it('BX-04 is unknown while Redis is down', async () => {
    const gone = new RedisShards({ shards: parseShards('redis://127.0.0.1:9'), connectionName: 'spec', log: silent });
    const unknown = new ReceiverOutages(gone, { log: silent });
    unknown.report(randomUUID(), 'q', 1);
    expect(await unknown.find(randomUUID(), 'q')).toBeUndefined();
    await gone.close();
  });
});
