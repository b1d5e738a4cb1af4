import { randomUUID } from 'node:crypto';
import { eventually, fromNow, msUntil, startRedis, type TestRedis } from '@spooled/testing';
import { QueueTokens } from './queue-tokens.js';
import { RedisShards } from '../connection/redis-shards.js';
import { parseShards } from '../connection/shard-map.js';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
let redis: TestRedis;
let shards: RedisShards;
let tokens: QueueTokens;

beforeAll(async () => {
  redis = await startRedis();
  shards = new RedisShards({ shards: parseShards(redis.url), connectionName: 'spec', log: silent });
  await eventually(() => expect(shards.connected).toBe(true));
  tokens = new QueueTokens(shards);
});
afterAll(async () => {
  await shards?.close();
  await redis?.close();
});

const take = async (...call: Parameters<QueueTokens['take']>) => (await tokens.take(...call))!;

/** Slow enough that no token is refilled during a test: one in 100 s. */
const slow = 0.01;

describe('MQ-15 the tokens of a queue', () => {
  it('are one second of its rate at first, one at least, and refill continuously', async () => {
    const org = randomUUID();
    expect((await take(org, 'q', 50, 80)).taken).toBe(50);
    const { taken, retryInMs } = await take(org, 'q', slow, 5);
    // Independent of the refill so far: a lower rate caps the bucket at one.
    expect(taken).toBeLessThanOrEqual(1);
    const empty = await take(org, 'q', slow, 5);
    expect(empty).toEqual({ taken: 0, retryInMs: expect.any(Number) });
    expect(Math.max(retryInMs, empty.retryInMs)).toBeGreaterThan(0);
    await eventually(async () => expect((await take(org, 'q', 50, 1)).taken).toBe(1));
  });

  it('BX-04 are looked at without being taken or stored', async () => {
    const org = randomUUID();
    expect(await tokens.nextInMs(org, 'q', slow)).toBe(0);
    expect((await take(org, 'q', slow, 5)).taken).toBe(1);
    const next = (await tokens.nextInMs(org, 'q', slow))!;
    expect(next).toBeGreaterThan(0);
    expect(next).toBeLessThanOrEqual(100_000);
    const untouched = randomUUID();
    await tokens.nextInMs(untouched, 'q', slow);
    expect(await shards.shardOf(untouched).commands.exists(`org:${untouched}:queue:q:tokens`)).toBe(0);
  });

  it('are never granted twice under concurrent calls', async () => {
    const org = randomUUID();
    const began = fromNow(0);
    const answers = await Promise.all(Array.from({ length: 30 }, () => take(org, 'q', 10, 1)));
    const taken = answers.reduce((sum, answer) => sum + answer.taken, 0);
    expect(taken).toBeGreaterThanOrEqual(10);
    // No more than were refilled meanwhile.
    expect(taken).toBeLessThanOrEqual(10 - msUntil(began) / 100);
  });

  it('are refunded when unused, up to the capacity', async () => {
    const org = randomUUID();
    await take(org, 'q', 5, 5);
    tokens.refund(org, 'q', 5, 100);
    expect((await take(org, 'q', 5, 9)).taken).toBe(5);
  });

  it('MQ-14 are separate for each queue and organization', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    await take(one, 'q', slow, 1);
    expect((await take(one, 'r', slow, 1)).taken).toBe(1);
    expect((await take(other, 'q', slow, 1)).taken).toBe(1);
  });
});

it('PB-13 are not known while Redis is down', async () => {
  const gone = new RedisShards({ shards: parseShards('redis://127.0.0.1:9'), connectionName: 'spec', log: silent });
  expect(await new QueueTokens(gone).take(randomUUID(), 'q', slow, 7)).toBeNull();
  expect(await new QueueTokens(gone).nextInMs(randomUUID(), 'q', slow)).toBeNull();
  await gone.close();
});
