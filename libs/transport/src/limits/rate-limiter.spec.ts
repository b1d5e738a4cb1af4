import { eventually, ManualClock, startRedis, type TestRedis } from '@spooled/testing';
import { TransportFixture } from '../commands/command-stream.fixture.js';
import { rateLimitKeys } from '../connection/keys.js';
import { LocalRateLimiter } from './local-rate-limiter.js';
import type { RateLimit, RateLimits } from './rate-limit.js';
import { RateLimiter } from './rate-limiter.js';

let redis: TestRedis;
const fixture = new TransportFixture();
beforeAll(async () => (redis = await startRedis()));
afterAll(async () => {
  await fixture.closeAll();
  await redis.close();
});

const openLimiter = async (options = {}, url = redis.url) => {
  const shards = fixture.shards(url);
  await eventually(() => expect(shards.connected).toBe(true));
  return { limiter: new RateLimiter(shards, options), shards };
};
let counter = 0;
const bucket = (ratePerSecond: number, burst: number): RateLimit => ({
  key: rateLimitKeys.organization(`organization-${counter++}`),
  scope: 'organization',
  kind: 'bucket',
  ratePerSecond,
  burst,
});
const window = (limit: number, windowSeconds: number): RateLimit => ({
  key: rateLimitKeys.address('::1', `tier-${counter++}`),
  scope: 'ip',
  kind: 'window',
  limit,
  windowSeconds,
});
const countAllowed = async (limiters: RateLimiter[], limits: RateLimit[], calls: number) => {
  const all = Array.from({ length: calls }, (_, index) => limiters[index % limiters.length]!.check('a', limits));
  return (await Promise.all(all)).filter(({ allowed }) => allowed).length;
};
/** Two calls between which no time passes: they are counted together. */
const atOnce = (limiter: RateLimits, limit: RateLimit) =>
  Promise.all([limiter.check('a', [limit]), limiter.check('a', [limit])]);

/** A limiter, and a way to let time pass for one of its counters, whole windows of it. */
interface Timed {
  limiter: RateLimits;
  pass(limit: RateLimit, ms: number): Promise<unknown>;
}
/** Redis counts by its own clock: what it has counted becomes older instead. */
async function sharedLimiter(): Promise<Timed> {
  const { limiter, shards } = await openLimiter();
  const { commands } = shards.shardOf('a');
  const pass = async (limit: RateLimit, ms: number) => {
    if (limit.kind === 'bucket') return commands.hincrby(limit.key, 'at', -ms);
    await commands.hincrby(limit.key, 'number', -ms / (limit.windowSeconds * 1000));
    return commands.hincrby(limit.key, 'last', -ms);
  };
  return { limiter, pass };
}
function localLimiter(clock = new ManualClock()): Promise<Timed> {
  return Promise.resolve({ limiter: new LocalRateLimiter(clock), pass: (_, ms) => clock.advance(ms) });
}

describe('SP-13 limits shared by all processes', () => {
  it('PB-02 a bucket allows exactly its burst under concurrent calls', async () => {
    const limiters = [(await openLimiter()).limiter, (await openLimiter()).limiter];
    // One token in 1,000 s: none is refilled while the test runs.
    expect(await countAllowed(limiters, [bucket(0.001, 50)], 200)).toBe(50);
  });

  it('PB-02 a window allows exactly its limit under concurrent calls', async () => {
    const limiters = [(await openLimiter()).limiter, (await openLimiter()).limiter];
    expect(await countAllowed(limiters, [window(50, 86_400)], 200)).toBe(50);
  });

  it('returns the remaining calls and the retry time', async () => {
    const { limiter } = await openLimiter();
    // One token in 20 s: at the end 20 s are left, and 40 s until the bucket is full, less what the calls took.
    const limit = bucket(0.05, 2);
    const before = Date.now() / 1000;
    expect(await limiter.check('a', [limit])).toMatchObject({ allowed: true, limit: 2, remaining: 1 });
    await limiter.check('a', [limit]);
    const refused = await limiter.check('a', [limit]);
    const passed = Date.now() / 1000 - before;
    expect(refused).toMatchObject({ allowed: false, limit: 2, remaining: 0 });
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(20);
    expect(refused.retryAfterSeconds).toBeGreaterThanOrEqual(19 - passed);
    expect(refused.resetAtUnix).toBeGreaterThanOrEqual(before + 39);
    expect(refused.resetAtUnix).toBeLessThan(before + passed + 42);
  });

  it('refills a bucket and slides a window', async () => {
    const { limiter, pass } = await sharedLimiter();
    for (const limit of [bucket(1 / 60, 1), window(1, 60)]) {
      const [first, refused] = await atOnce(limiter, limit);
      expect([first.allowed, refused.allowed]).toEqual([true, false]);
      expect(refused.retryAfterSeconds).toBeGreaterThanOrEqual(1);
      await pass(limit, 60_000);
      expect((await limiter.check('a', [limit])).allowed).toBe(true);
    }
  });

  it('SP-82 their counters expire with their window, or when their bucket is full', async () => {
    const { limiter, shards } = await openLimiter();
    const keptMs = async (limit: RateLimit) => {
      await limiter.check('a', [limit]);
      await limiter.check('a', [limit]);
      return shards.shardOf('a').commands.pttl(limit.key);
    };
    const charged = bucket(1, 50);
    await limiter.charge('a', [charged], 90);
    const keptWithDebtMs = await shards.shardOf('a').commands.pttl(charged.key);
    expect(keptWithDebtMs).toBeGreaterThan(80_000);
    for (const [limit, longestMs] of [
      // A window counts until the end of the next one.
      [window(5, 60), 120_000],
      [bucket(1, 50), 51_000],
    ] as const) {
      const ms = await keptMs(limit);
      expect(ms).toBeGreaterThan(longestMs / 2);
      expect(ms).toBeLessThanOrEqual(longestMs);
    }
  });

  it('PB-28 slides a window: half a window later half of the calls still count', async () => {
    const { limiter, shards } = await openLimiter();
    // By the clock of Redis the second window since 1970 is half over, and stays so while the test runs.
    const limit = window(1000, Math.round(Date.now() / 1000 / 1.5));
    const before = { number: 0, current: 999, previous: 0, last: Date.now() };
    await shards.shardOf('a').commands.hset(limit.key, before);
    expect(await limiter.take('a', [limit], 2000)).toMatchObject({ granted: 500 });
  });

  it('takes from no limit when one of several refuses, and reports the one that does', async () => {
    const { limiter } = await openLimiter();
    const wide = bucket(0.001, 10);
    const narrow = window(1, 86_400);
    expect((await limiter.check('a', [wide, narrow])).allowed).toBe(true);
    expect(await limiter.check('a', [wide, narrow])).toMatchObject({ allowed: false, limit: 1 });
    expect(await limiter.check('a', [wide])).toMatchObject({ allowed: true, limit: 10, remaining: 8 });
  });

  it('returns a retry time at which a call is allowed', async () => {
    const { limiter, pass } = await sharedLimiter();
    const limit = window(3, 1);
    let answer = await limiter.check('a', [limit]);
    while (answer.allowed) answer = await limiter.check('a', [limit]);
    await pass(limit, answer.retryAfterSeconds * 1000);
    expect((await limiter.check('a', [limit])).allowed).toBe(true);
  });
});

describe('limits per process', () => {
  it.each([0, 1, 300, 700, 999])(
    'PB-28 no call counts longer than one window, %i ms into a fixed one',
    async (phaseMs) => {
      const clock = new ManualClock(1_000_000 + phaseMs);
      const limiter = new LocalRateLimiter(clock);
      const limit = window(1, 1);
      const [, refused] = await atOnce(limiter, limit);
      expect(refused.retryAfterSeconds).toBe(1);
      await clock.advance(999);
      expect((await limiter.check('a', [limit])).allowed).toBe(false);
      await clock.advance(1);
      expect((await limiter.check('a', [limit])).allowed).toBe(true);
    },
  );

  it('PB-28 slides a window: half a window later half of the calls still count', async () => {
    const clock = new ManualClock(1_999_999);
    const limiter = new LocalRateLimiter(clock);
    const limit = window(1000, 1000);
    expect(await limiter.take('a', [limit], 2000)).toMatchObject({ granted: 1000 });
    await clock.advance(500_001);
    expect(await limiter.take('a', [limit], 2000)).toMatchObject({ granted: 500 });
  });

  it('allows exactly the limit, and a call at the returned retry time', async () => {
    const { limiter, pass } = await localLimiter();
    for (const limit of [bucket(1, 5), window(5, 1)]) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => limiter.check('a', [limit])));
      expect(answers.filter(({ allowed }) => allowed).map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0]);
      const { retryAfterSeconds, limit: limitReported } = answers.at(-1)!;
      expect([limitReported, retryAfterSeconds]).toEqual([5, expect.any(Number)]);
      await pass(limit, retryAfterSeconds * 1000);
      expect((await limiter.check('a', [limit])).allowed).toBe(true);
    }
  });

  it('takes from no limit when one of several refuses, and grants as many as fit', async () => {
    const limiter = new LocalRateLimiter();
    const [wide, narrow] = [bucket(0.001, 10), window(2, 86_400)];
    expect(await limiter.take('a', [wide, narrow], 5)).toMatchObject({
      granted: 2,
      last: { allowed: false, limit: 2 },
    });
    expect(await limiter.check('a', [wide, narrow])).toMatchObject({ allowed: false, limit: 2 });
    expect(await limiter.check('a', [wide])).toMatchObject({ allowed: true, remaining: 7 });
    await limiter.reset('a', [narrow.key]);
    expect((await limiter.check('a', [wide, narrow])).allowed).toBe(true);
  });

  it('fills a bucket that was raised, and no other', async () => {
    const limiter = new LocalRateLimiter();
    const small = bucket(0.001, 2);
    const raised = { ...small, burst: 10 };
    expect(await limiter.take('a', [small], 5)).toMatchObject({ granted: 2 });
    expect(await limiter.take('a', [raised], 20)).toMatchObject({ granted: 10 });
    expect(await limiter.take('a', [raised], 20)).toMatchObject({ granted: 0 });
    expect(await limiter.take('a', [small], 20)).toMatchObject({ granted: 0 });
  });
});

describe('refunds', () => {
  it.each([
    ['shared', async (): Promise<RateLimits> => (await openLimiter()).limiter],
    ['per process', () => Promise.resolve<RateLimits>(new LocalRateLimiter())],
  ])('are available again, up to the limit: %s', async (_, provide) => {
    const limiter = await provide();
    for (const limit of [bucket(0.001, 2), window(2, 86_400)]) {
      await limiter.check('a', [limit]);
      await limiter.check('a', [limit]);
      expect((await limiter.check('a', [limit])).allowed).toBe(false);
      limiter.refund('a', [limit]);
      expect((await limiter.check('a', [limit])).allowed).toBe(true);
      for (let i = 0; i < 9; i++) limiter.refund('a', [limit]);
      expect(await limiter.take('a', [limit], 9)).toMatchObject({ granted: 2 });
    }
  });
});

describe.each([
  ['shared', sharedLimiter],
  ['per process', localLimiter],
])('edge cases: %s', (_, provide) => {
  it('PB-28 no call counts longer than one window', async () => {
    const { limiter, pass } = await provide();
    const limit = window(1, 1);
    const [, refused] = await atOnce(limiter, limit);
    expect(refused.retryAfterSeconds).toBe(1);
    await pass(limit, 1000);
    expect((await limiter.check('a', [limit])).allowed).toBe(true);
  });

  it('charges more than a bucket has, and lets calls wait until it is refilled', async () => {
    const { limiter, pass } = await provide();
    const limit = bucket(0.1, 10);
    expect(await limiter.charge('a', [limit], 4)).toMatchObject({ allowed: true, limit: 10, remaining: 6 });
    expect(await limiter.charge('a', [limit], 10)).toMatchObject({ remaining: 0, retryAfterSeconds: 0 });
    const { allowed, retryAfterSeconds } = await limiter.check('a', [limit]);
    expect(allowed).toBe(false);
    expect(retryAfterSeconds).toBeGreaterThan(40);
    expect(retryAfterSeconds).toBeLessThanOrEqual(50);
    await pass(limit, 40_000);
    expect((await limiter.check('a', [limit])).allowed).toBe(false);
    await pass(limit, 10_000);
    expect((await limiter.check('a', [limit])).allowed).toBe(true);
  });

  it('asks for a wait of a minute at most', async () => {
    const { limiter } = await provide();
    for (const limit of [window(1, 3600), bucket(0.001, 1), bucket(0, 1)]) {
      await limiter.check('a', [limit]);
      expect(await limiter.check('a', [limit])).toMatchObject({ allowed: false, retryAfterSeconds: 60 });
    }
  });

  it('names the limit with the fewest calls left, or the one that refuses', async () => {
    const { limiter } = await provide();
    const [wide, narrow] = [bucket(0.001, 100), window(3, 86_400)];
    expect(await limiter.check('a', [wide, narrow])).toMatchObject({ scope: 'ip', remaining: 2 });
    await limiter.take('a', [wide], 98);
    expect(await limiter.check('a', [wide, narrow])).toMatchObject({ scope: 'organization', remaining: 0 });
    expect(await limiter.check('a', [wide, narrow])).toMatchObject({ allowed: false, scope: 'organization' });
  });
});

describe('PB-13 while Redis is down', () => {
  it('counts in this process, or refuses with 503 when it fails closed', async () => {
    const own = await startRedis();
    const open = await openLimiter({}, own.url);
    const closed = await openLimiter({ failClosed: true }, own.url);
    await own.close();
    await eventually(() => expect([open.shards.connected, closed.shards.connected]).toEqual([false, false]));
    const limit = bucket(0.001, 5);
    expect(await open.limiter.check('a', [limit])).toMatchObject({ allowed: true, limit: 5 });
    // Counted per process from now on.
    expect(await open.limiter.take('a', [limit], 9)).toMatchObject({ granted: 4 });
    // What has been done must not fail afterwards.
    expect(await closed.limiter.charge('a', [limit], 9)).toMatchObject({ limit: 5, remaining: 0 });
    await expect(closed.limiter.check('a', [limit])).rejects.toMatchObject({
      status: 503,
      message: 'Redis is unavailable',
    });
  });
});
