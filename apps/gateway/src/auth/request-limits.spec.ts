import { Database } from '@spooled/data-access';
import { createTenant, unixSeconds, useDatabase, useRedis } from '@spooled/testing';
import { type TestGateway, useGateways, useSharedGateways } from '../gateway.fixture.js';

const database = useDatabase();
const redis = useRedis();
const start = useGateways(database, redis);
const open = useSharedGateways(database, redis);

/** Never refilled. */
const slow = { rate_limit_requests_per_second: 0, rate_limit_burst: 3 };
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
  it('SP-13 PB-02 an organization has one bucket across all gateways and keys, and every response reports it', async () => {
    const [one, two] = [await open(), await start()];
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

  it('PB-14 BX-12 every response says which limit is nearest to refusing', async () => {
    const gateway = await open({ ADMIN_API_KEY: 'the key of this administrator' });
    const tenant = await createTenant(database.superuserUrl);
    const { body } = await gateway.request('POST', '/api-keys', tenant.key, { name: 'slow', rate_limit: 50 });
    const scopeOf = async (url: string, headers: Record<string, string> = {}, payload?: object) => {
      const response = await gateway.app.inject({ url, headers, payload, method: payload ? 'POST' : 'GET' });
      expect(Object.keys(response.headers)).toEqual(
        expect.arrayContaining(['limit', 'remaining', 'reset', 'scope'].map((name) => `x-ratelimit-${name}`)),
      );
      return [response.statusCode, response.headers['x-ratelimit-scope']];
    };
    const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
    expect(await scopeOf('/api/v1/jobs', bearer(tenant.key))).toEqual([200, 'organization']);
    expect(await scopeOf('/api/v1/jobs', bearer(body.key))).toEqual([200, 'api_key']);
    expect(await scopeOf('/api/v1/jobs/x', bearer(tenant.key))).toEqual([404, 'organization']);
    expect(await scopeOf('/api/v1/jobs', bearer('sk_test_unknown'))).toEqual([401, 'ip']);
    expect(await scopeOf('/api/v1/jobs')).toEqual([401, 'ip']);
    expect(await scopeOf('/api/v1/no-such-route')).toEqual([404, 'ip']);
    expect(await scopeOf('/api/v1/admin/stats', { 'x-admin-key': 'wrong' })).toEqual([401, 'admin']);
    expect(await scopeOf('/api/v1/auth/login', {}, { api_key: tenant.key })).toEqual([200, 'login']);
    expect(await scopeOf('/api/v1/organizations/check-slug?slug=a-name')).toEqual([200, 'ip']);
  });

  it('browsers may read the headers of limits', async () => {
    const gateway = await open({ CORS_ALLOWED_ORIGINS: 'https://app.example' });
    const { headers } = await gateway.app.inject({ url: '/api/v1/jobs', headers: { origin: 'https://app.example' } });
    for (const name of ['limit', 'remaining', 'reset', 'scope']) {
      expect(headers['access-control-expose-headers']).toContain(`x-ratelimit-${name}`);
    }
  });

  it('a limit of one call a minute asks for a wait of at most that minute', async () => {
    const gateway = await open();
    const tenant = await createTenant(database.superuserUrl);
    const { body } = await gateway.request('POST', '/api-keys', tenant.key, { name: 'slow', rate_limit: 1 });
    expect((await gateway.request('GET', '/jobs', body.key)).status).toBe(200);
    const refused = await gateway.request('GET', '/jobs', body.key);
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(refused.body).toMatchObject({ retry_after_secs: seconds });
  });

  it('a cap of the plan is no rate: it says what is capped, and not when to retry', async () => {
    const gateway = await open();
    const tenant = await createTenant(database.superuserUrl, { plan: 'free', customLimits: { max_queues: 0 } });
    const refused = await gateway.request('POST', '/jobs', tenant.key, { queue_name: 'q', payload: 1 });
    expect(refused).toMatchObject({
      status: 429,
      body: {
        code: 'QUOTA_EXCEEDED',
        error: 'limit_exceeded',
        message: expect.stringContaining('limit reached'),
        resource: 'queues',
        current: 0,
        limit: 0,
        plan: 'free',
        upgrade_to: 'starter',
      },
    });
    expect(refused.headers).not.toHaveProperty('retry-after');
    expect(refused.headers).toMatchObject({ 'x-ratelimit-scope': 'organization' });
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
    // At once, because one more is allowed each second.
    const guesses = await Promise.all(Array.from({ length: 10 }, () => from('203.0.113.1', '/api/v1/jobs')));
    expect(guesses.map(({ status }) => status)).toContain(401);
    expect(guesses.find(({ status }) => status === 429)).toMatchObject(limited);
    expect((await from('203.0.113.2', slug)).status).toBe(200);
  });

  it('PB-06 PB-07 PB-12 PB-14 an exhausted tier rejects only its own routes, and only for that key', async () => {
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

  it('PB-07 PB-09 PB-11 changes and the calls of workers have windows of a minute of their own', async () => {
    const gateway = await open({ RATE_LIMIT_WRITE_PER_MINUTE: '2', RATE_LIMIT_PROTOCOL_PER_MINUTE: '3' });
    const { key } = await createTenant(database.superuserUrl);
    const claim = { queue_name: 'mail', worker_id: 'w' };
    const statuses = async (calls: number, call: () => ReturnType<TestGateway['request']>) => {
      const responses = [];
      for (let i = 0; i < calls; i++) responses.push(await call());
      return responses;
    };
    const changes = await statuses(3, () => gateway.request('PUT', '/queues/mail/config', key, {}));
    const claims = await statuses(4, () => gateway.request('POST', '/jobs/claim', key, claim));
    expect(changes.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(claims.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect((await gateway.request('GET', '/jobs', key)).status).toBe(200);
    for (const { headers } of [...changes, ...claims]) {
      const seconds = Number(headers['x-ratelimit-reset']) - unixSeconds();
      expect(seconds).toBeGreaterThan(30);
      expect(seconds).toBeLessThan(62);
    }
  });

  it('RATE_LIMIT_ENABLED=false lifts all limits but those of guesses at secrets', async () => {
    const gateway = await open({
      RATE_LIMIT_ENABLED: 'false',
      RATE_LIMIT_BURST_SIZE: '1',
      RATE_LIMIT_READ_PER_MINUTE: '1',
      RATE_LIMIT_FAILED_LOGINS_PER_MINUTE: '3',
    });
    const tenant = await createTenant(database.superuserUrl, { customLimits: slow });
    for (let i = 0; i < 10; i++) {
      expect((await gateway.request('GET', '/jobs', tenant.key)).status).toBe(200);
      expect((await gateway.request('GET', '/jobs', null)).status).toBe(401);
    }
    const statuses = [];
    const guess = { api_key: `sk_test_${'y'.repeat(43)}` };
    for (let i = 0; i < 4; i++) statuses.push((await gateway.request('POST', '/auth/login', null, guess)).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  it('PB-13 without Redis each process counts, and limits hold', async () => {
    const gateway = await open({ RATE_LIMIT_FAIL_CLOSED: 'true' }, '');
    const tenant = await createTenant(database.superuserUrl, { customLimits: slow });
    const read = () => gateway.request('GET', '/jobs', tenant.key);
    const burst = await Promise.all(Array.from({ length: 6 }, read));
    expect(burst.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429]);
    expect(burst.find(({ status }) => status === 429)).toMatchObject(limited);
  });

  it('probes and scrapes are not rate limited', async () => {
    const gateway = await open({ RATE_LIMIT_REQUESTS_PER_SECOND: '1', RATE_LIMIT_BURST_SIZE: '1' });
    // A check fails after 2 s without an answer of PostgreSQL, which is not asked here.
    gateway.app.get(Database).ping = () => Promise.resolve();
    for (const url of ['/health', '/health/live', '/metrics', '/health', '/health/ready']) {
      expect((await gateway.app.inject({ url })).statusCode).toBe(200);
    }
  });
});

describe('rate limits during an outage of Redis', () => {
  const lost = useRedis();

  it('PB-13 requests are allowed, or rejected with 503 if so configured', async () => {
    const failOpen = await start({}, lost.url);
    const failClosed = await start({ RATE_LIMIT_FAIL_CLOSED: 'true' }, lost.url);
    const failClosedForReads = await start({ RATE_LIMIT_FAIL_CLOSED_TIERS: 'read' }, lost.url);
    const tenant = await createTenant(database.superuserUrl);
    await lost.kill();
    expect((await failOpen.request('GET', '/organizations', tenant.key)).status).toBe(200);
    expect((await failClosedForReads.request('GET', '/organizations', tenant.key)).status).toBe(503);
    expect(
      (await failClosedForReads.request('POST', '/organizations/generate-slug', null, { name: 'a name' })).status,
    ).toBe(200);
    expect(await failClosed.request('GET', '/organizations', tenant.key)).toMatchObject({
      status: 503,
      body: { code: 'SERVICE_UNAVAILABLE', message: 'Redis is unavailable' },
    });
  });
});
