import { randomUUID } from 'node:crypto';
import { CredentialFeed, type Database, deleteQueueSettings, saveQueueSettings } from '@spooled/data-access';
import { createLogger } from '@spooled/platform';
import {
  createTenant,
  eventually,
  ManualClock,
  startRedis,
  useConnections,
  useDatabase,
  useForAll,
  useRedis,
} from '@spooled/testing';
import { parseShards, QueueTokens, type RedisCredentialCache, RedisShards } from '@spooled/transport';
import { QueueRates } from './queue-rates.js';

const unchanged = { maxRetries: null, timeoutSeconds: null, rateLimit: undefined, enabled: null, settings: null };
const defaults = { maxRetries: 3, timeoutSeconds: 300 };

let feed: CredentialFeed;
afterAll(() => feed?.stop());
const testDatabase = useDatabase();
const database = useConnections(testDatabase, { maxConnections: 8 });
const redis = useRedis();
let organizationId: string;

beforeAll(() => void (feed = new CredentialFeed(database, { intervalMs: 50 }).start()));
beforeEach(async () => void ({ organizationId } = await createTenant(testDatabase.superuserUrl)));

const setRate = (rateLimit: number | null, queue = 'q') =>
  database.withTenant(organizationId, (tx) => saveQueueSettings(tx, queue, { ...unchanged, rateLimit }, defaults));
/** The rates of another process; it shares only PostgreSQL. */
const process = (tokens: QueueTokens | null = null) => new QueueRates(database, tokens, null, feed);
/** One that learns of no change. */
const withoutNotices = () => new QueueRates(database, null, null, { onChange: () => () => undefined });
const all = (limit: number) => Promise.resolve(Array.from({ length: limit }, (_, i) => i));
const claim = async (rates: QueueRates, wanted: number) =>
  (await rates.claim(organizationId, 'q', wanted, all)).jobs.length;

async function connect(url: string): Promise<RedisShards> {
  const log = createLogger({ service: 'spec', level: 'silent' });
  const shards = new RedisShards({ shards: parseShards(url), connectionName: 'spec', log });
  await eventually(() => expect(shards.connected).toBe(true));
  return shards;
}
const tokensOf = (open: () => Promise<RedisShards>) =>
  useForAll(
    async () => {
      const shards = await open();
      return { shards, tokens: new QueueTokens(shards) };
    },
    ({ shards }) => shards.close(),
  );
const shared = tokensOf(() => connect(redis.url));
const lost = tokensOf(async () => {
  const server = await startRedis();
  const shards = await connect(server.url);
  await server.close();
  await eventually(() => expect(shards.connected).toBe(false));
  return shards;
});

describe.each<[string, () => QueueTokens | null]>([
  ['with Redis', () => shared.tokens],
  ['without Redis', () => null],
  ['while Redis is down', () => lost.tokens],
])("MQ-15 a queue's rate, %s", (_, provide) => {
  it('holds over all processes', async () => {
    // One job in 100 s: none is refilled while the test runs.
    await setRate(0.01);
    const tokens = provide();
    const processes = [process(tokens), process(tokens)];
    const claims = await Promise.all(Array.from({ length: 20 }, (_each, i) => claim(processes[i % 2]!, 5)));
    expect(claims.reduce((sum, jobs) => sum + jobs, 0)).toBe(1);
    const next = await processes[0]!.claim(organizationId, 'q', 5, all);
    expect(next.jobs).toEqual([]);
    expect(next.retryInMs).toBeGreaterThan(90_000);
    const waitMs = await processes[1]!.nextInMs(organizationId, 'q', 0.01);
    expect(waitMs).toBeGreaterThan(90_000);
    expect(waitMs).toBeLessThanOrEqual(100_000);
  });

  it('allows a burst of one second, and refills continuously', async () => {
    await setRate(20);
    const rates = process(provide());
    expect(await claim(rates, 100)).toBe(20);
    await eventually(async () => expect(await claim(rates, 1)).toBe(1));
  });

  it('MQ-14 does not limit a queue without one, nor delay another queue', async () => {
    await setRate(0.01);
    await setRate(null, 'unlimited');
    const rates = process(provide());
    expect(await claim(rates, 5)).toBe(1);
    expect(await claim(rates, 5)).toBe(0);
    for (let i = 0; i < 3; i++) {
      expect(await rates.claim(organizationId, 'unlimited', 500, all)).toMatchObject({
        retryInMs: 0,
        jobs: { length: 500 },
      });
    }
  });

  it('returns what a claim did not use', async () => {
    await setRate(0.01);
    const rates = process(provide());
    await rates.claim(organizationId, 'q', 5, () => Promise.resolve([]));
    await eventually(async () => expect(await claim(rates, 5)).toBe(1));
  });
});

describe('MQ-16 a change of the rate', () => {
  it('SP-80 is found only by its notice, because rates are cached', async () => {
    let notify: Parameters<CredentialFeed['onChange']>[0] = () => undefined;
    const held: Pick<CredentialFeed, 'onChange'> = {
      onChange(listener) {
        notify = listener;
        return () => undefined;
      },
    };
    const rates = new QueueRates(database, null, null, held);
    expect(await claim(rates, 50)).toBe(50);
    await setRate(0.01);
    expect(await claim(rates, 50)).toBe(50);
    notify('everything');
    expect(await claim(rates, 50)).toBe(1);
  });

  it('SP-80 is found after 30 s by a process that no notice reaches', async () => {
    const clock = new ManualClock();
    const rates = new QueueRates(database, null, null, { onChange: () => () => undefined }, clock);
    await setRate(0.01);
    expect(await claim(rates, 50)).toBe(1);
    await setRate(50);
    await clock.advance(29_000);
    expect(await claim(rates, 50)).toBe(0);
    await clock.advance(2_000);
    await eventually(async () => expect(await claim(rates, 50)).toBeGreaterThan(0));
  });

  it('SP-80 reaches every process without Redis', async () => {
    const rates = process();
    expect(await claim(rates, 50)).toBe(50);
    await setRate(0.01);
    await eventually(async () => expect(await claim(rates, 50)).toBeLessThanOrEqual(1));
    await setRate(null);
    await eventually(async () => expect(await claim(rates, 50)).toBe(50));
  });

  it('ends with the settings of the queue', async () => {
    const rates = process();
    await setRate(0.01);
    expect(await claim(rates, 50)).toBe(1);
    await database.withTenant(organizationId, (tx) => tx.run(deleteQueueSettings, { queueName: 'q', jobs: 0 }));
    expect(await claim(rates, 50)).toBe(50);
    await eventually(async () => expect(await claim(rates, 50)).toBe(50));
  });
});

describe('MQ-15 a claim of a queue with a rate', () => {
  it('says when to claim again if it got all that was allowed and less than it wanted', async () => {
    await setRate(2);
    const rates = process();
    expect(await rates.claim(organizationId, 'q', 1, all)).toEqual({ jobs: [0], retryInMs: 0 });
    expect(await rates.claim(organizationId, 'q', 5, () => Promise.resolve([]))).toEqual({ jobs: [], retryInMs: 0 });
    await setRate(0.01, 'slow');
    const { jobs, retryInMs } = await rates.claim(organizationId, 'slow', 5, all);
    expect([jobs, retryInMs > 99_000, retryInMs <= 100_000]).toEqual([[0], true, true]);
    await setRate(0.01, 'slower');
    expect(await rates.claim(organizationId, 'slower', 1, all)).toEqual({ jobs: [0], retryInMs: 0 });
    const claimed = () => Promise.reject(new Error('claimed without a token'));
    expect((await rates.claim(organizationId, 'slower', 1, claimed)).jobs).toEqual([]);
  });

  it('returns what a claim that failed has not used', async () => {
    await setRate(0.01);
    const rates = process();
    const failed = rates.claim(organizationId, 'q', 5, () => Promise.reject(new Error('away')));
    await expect(failed).rejects.toThrow('away');
    await eventually(async () => expect(await claim(rates, 5)).toBe(1));
    // Tokens that were used are not returned.
    expect(await claim(rates, 5)).toBe(0);
  });

  it('is not limited when the settings of the queue were deleted since its rate was read', async () => {
    await setRate(0.01);
    const rates = withoutNotices();
    expect(await claim(rates, 5)).toBe(1);
    await database.withTenant(organizationId, (tx) => tx.run(deleteQueueSettings, { queueName: 'q', jobs: 0 }));
    expect(await rates.claim(organizationId, 'q', 5, all)).toMatchObject({ jobs: { length: 5 }, retryInMs: 0 });
  });

  it('knows when the next job may be granted: now, for a queue that was never used and one with a token', async () => {
    await setRate(2);
    const rates = process();
    const next = () => rates.nextInMs(organizationId, 'q', 2);
    expect(await next()).toBe(0);
    expect(await claim(rates, 1)).toBe(1);
    expect(await next()).toBe(0);
  });
});

describe('SP-80 the rate of a queue', () => {
  type Feed = Parameters<CredentialFeed['onChange']>[0];
  type Notices = Parameters<RedisCredentialCache['onInvalidate']>[0];
  const settings = (subject: string, of = organizationId) =>
    ({ organizationId: of, kind: 'settings', subject, xid: 1, changedAt: 0 }) as const;

  /** A process that has read the rate of the queue, which has got a lower one since. */
  async function outdated() {
    const told: { change?: Feed; notice?: Notices } = {};
    const rates = new QueueRates(
      database,
      null,
      { onInvalidate: (listener) => ((told.notice = listener), () => true) },
      { onChange: (listener) => ((told.change = listener), () => undefined) },
    );
    expect(await claim(rates, 50)).toBe(50);
    await setRate(0.01);
    return { rates, change: told.change!, notice: told.notice! };
  }

  it.each<[string, (process: Awaited<ReturnType<typeof outdated>>) => void]>([
    ['its settings change', ({ change }) => change(settings('queue:q'))],
    ['changes were missed', ({ change }) => change('everything')],
    ['another process has changed it', ({ notice }) => notice({ kind: 'queue', organizationId, queueName: 'q' })],
    ['notices were missed', ({ notice }) => notice({ kind: 'everything' })],
    ['this process has changed it', ({ rates }) => rates.forget(organizationId, 'q')],
  ])('is read again when %s', async (_, tell) => {
    const process = await outdated();
    tell(process);
    expect(await claim(process.rates, 50)).toBe(1);
  });

  it.each<[string, (process: Awaited<ReturnType<typeof outdated>>) => void]>([
    ['settings of another queue', ({ change }) => change(settings('queue:other'))],
    ['settings of another organization', ({ change }) => change(settings('queue:q', randomUUID()))],
    ['other settings of that name', ({ change }) => change(settings('throttle:q'))],
    ['another kind of change', ({ change }) => change({ ...settings('queue:q'), kind: 'session' })],
    ['a notice about another queue', ({ notice }) => notice({ kind: 'queue', organizationId, queueName: 'other' })],
    ['another notice', ({ notice }) => notice({ kind: 'session', organizationId, sessionId: 'q' })],
  ])('is not read again for %s', async (_, tell) => {
    const process = await outdated();
    tell(process);
    expect(await claim(process.rates, 50)).toBe(50);
  });

  it('is read again after a read that failed', async () => {
    let isAway = true;
    const away = Object.assign(Object.create(database) as Database, {
      withTenant: (...all: Parameters<Database['withTenant']>) =>
        isAway ? Promise.reject(new Error('away')) : database.withTenant(...all),
    });
    const rates = new QueueRates(away, null, null, feed);
    await setRate(0.01);
    await expect(claim(rates, 5)).rejects.toThrow('away');
    isAway = false;
    expect(await claim(rates, 5)).toBe(1);
  });
});
