import {
  createTenant,
  createTestDatabase,
  eventually,
  startRedis,
  type TestDatabase,
  type TestRedis,
} from '@spooled/testing';
import type { RedisShards } from '@spooled/transport';
import { startGateway, type TestGateway } from '../gateway.fixture.js';
import { REDIS } from '@spooled/service';

let database: TestDatabase;
let redis: TestRedis;
const gateways: TestGateway[] = [];

async function open(env: Record<string, string> = {}): Promise<TestGateway> {
  const gateway = await startGateway(database, { redisUrl: redis.url, env });
  gateways.push(gateway);
  await eventually(() => expect(gateway.app.get<RedisShards>(REDIS).connected).toBe(true));
  return gateway;
}

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await redis?.close();
  await database?.drop();
});

const slow = { rate_limit_requests_per_second: 1, rate_limit_burst: 3 };
const limited = {
  status: 429,
  headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/), 'x-ratelimit-remaining': '0' },
  body: {
    code: 'RATE_LIMIT_EXCEEDED',
    error: 'rate_limit_exceeded',
    message: expect.any(String),
    retry_after_secs: expect.any(Number),
    remaining: 0,
    reset_at: expect.any(Number),
  },
};

describe('rate limits', () => {
  it('SP-13 an organization has one bucket across all gateways and keys, and every response reports it', async () => {
    const [one, two] = [await open(), await open()];
    const tenant = await createTenant(database.superuserUrl, { customLimits: slow });
    const scoped = await tenant.keyFor('mail');
    const responses = [
      await one.request('GET', '/organizations', tenant.key),
      await two.request('GET', '/organizations', scoped),
      await one.request('GET', '/jobs/nothing', tenant.key),
    ];
    expect(responses.map(({ status, headers }) => [status, headers['x-ratelimit-limit']])).toEqual([
      [200, '3'],
      [200, '3'],
      [404, '3'],
    ]);
    expect(Number(responses[0]!.headers['x-ratelimit-reset'])).toBeGreaterThan(1_600_000_000);
    const burst = await Promise.all(Array.from({ length: 4 }, () => two.request('GET', '/organizations', tenant.key)));
    expect(burst.find(({ status }) => status === 429)).toMatchObject(limited);
  });

  it('SP-71 a key with its own limit is rate limited while its organization is not', async () => {
    const gateway = await open();
    const tenant = await createTenant(database.superuserUrl);
    const { body } = await gateway.request('POST', '/api-keys', tenant.key, { name: 'slow', rate_limit: 2 });
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) statuses.push((await gateway.request('GET', '/organizations', body.key)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await gateway.request('GET', '/organizations', tenant.key)).status).toBe(200);
  });

  it('SP-67 requests without a valid credential are counted by address, guesses included', async () => {
    const env = { RATE_LIMIT_REQUESTS_PER_SECOND: '1', RATE_LIMIT_BURST_SIZE: '2', TRUSTED_PROXY_HOPS: '1' };
    const gateway = await open(env);
    const from = async (address: string, url: string) => {
      const headers = { 'x-forwarded-for': `198.51.100.9, ${address}`, authorization: 'Bearer sk_test_guess' };
      const response = await gateway.app.inject({ url, headers });
      return { status: response.statusCode, headers: response.headers, body: response.json() as unknown };
    };
    const slug = '/api/v1/organizations/check-slug?slug=some-name';
    expect((await from('203.0.113.1', slug)).status).toBe(200);
    expect((await from('203.0.113.1', '/api/v1/jobs')).status).toBe(401);
    expect(await from('203.0.113.1', '/api/v1/jobs')).toMatchObject(limited);
    expect((await from('203.0.113.2', slug)).status).toBe(200);
  });

  it('PB-06 PB-14 an exhausted tier rejects only its own routes, and only for that key', async () => {
    const gateway = await open({ RATE_LIMIT_READ_PER_MINUTE: '2', RATE_LIMIT_AUTH_PER_MINUTE: '1' });
    const tenant = await createTenant(database.superuserUrl);
    const scoped = await tenant.keyFor('mail');
    const read = (key: string) => gateway.request('GET', '/organizations', key);
    expect([await read(tenant.key), await read(tenant.key)].map(({ status }) => status)).toEqual([200, 200]);
    expect(await read(tenant.key)).toMatchObject({
      ...limited,
      headers: { ...limited.headers, 'x-ratelimit-limit': '2' },
    });
    const claim = { queue_name: 'mail', worker_id: 'w' };
    expect((await gateway.request('POST', '/jobs/claim', tenant.key, claim)).status).toBe(200);
    expect((await read(scoped)).status).toBe(200);
    const guess = { token: 'no token at all' };
    expect((await gateway.request('POST', '/auth/validate', null, guess)).status).toBe(200);
    expect(await gateway.request('POST', '/auth/validate', null, guess)).toMatchObject(limited);
  });

  it('probes and scrapes are not rate limited', async () => {
    const gateway = await open({ RATE_LIMIT_REQUESTS_PER_SECOND: '1', RATE_LIMIT_BURST_SIZE: '1' });
    for (const url of ['/health', '/health/live', '/metrics', '/health', '/health/ready']) {
      expect((await gateway.app.inject({ url })).statusCode).toBe(200);
    }
  });

  it('PB-13 without Redis requests are allowed, or rejected with 503 if so configured', async () => {
    const [failOpen, failClosed] = [await open(), await open({ RATE_LIMIT_FAIL_CLOSED: 'true' })];
    const failClosedForReads = await open({ RATE_LIMIT_FAIL_CLOSED_TIERS: 'read' });
    const tenant = await createTenant(database.superuserUrl);
    await redis.kill();
    try {
      expect((await failOpen.request('GET', '/organizations', tenant.key)).status).toBe(200);
      expect((await failClosedForReads.request('GET', '/organizations', tenant.key)).status).toBe(503);
      expect(
        (await failClosedForReads.request('POST', '/organizations/generate-slug', null, { name: 'a name' })).status,
      ).toBe(200);
      expect(await failClosed.request('GET', '/organizations', tenant.key)).toMatchObject({
        status: 503,
        body: { code: 'SERVICE_UNAVAILABLE', message: 'Redis is unavailable' },
      });
    } finally {
      await redis.start();
    }
  });
});
