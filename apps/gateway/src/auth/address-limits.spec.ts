import { Database, newApiKeyText } from '@spooled/data-access';
import { createTenant, useDatabase, useRedis } from '@spooled/testing';
import type { OpenAPIObject } from '@nestjs/swagger';
import { randomInt } from 'node:crypto';
import { randomAddress, type TestGateway, useGateways } from '../gateway.fixture.js';
import { ApiDescription } from '../openapi/api-description.js';

const adminKey = 'the key of this administrator';
const burst = 4;
const few = {
  RATE_LIMIT_REQUESTS_PER_SECOND: '1',
  RATE_LIMIT_BURST_SIZE: String(burst),
  RATE_LIMIT_FAILED_LOGINS_PER_MINUTE: '3',
  TRUSTED_PROXY_HOPS: '1',
  REGISTRATION_MODE: 'closed',
  ADMIN_API_KEY: adminKey,
  METRICS_TOKEN: 'the token of this scraper',
};

const database = useDatabase();
const redis = useRedis();
const start = useGateways(database, redis);
const open = (env: Record<string, string> = {}, redisUrl?: string) => start({ ...few, ...env }, redisUrl);

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request through a proxy that saw `address`; everything else in X-Forwarded-For is made up by the caller. */
async function ask(
  gateway: TestGateway,
  address: string,
  { method = 'GET', url = '/api/v1/queues', headers = {}, payload }: Partial<TestRequest> = {},
) {
  const response = await gateway.app.inject({
    method,
    url,
    headers: { 'x-forwarded-for': `198.51.100.${randomInt(256)}, ${address}`, ...headers },
    payload,
  });
  return { status: response.statusCode, headers: response.headers };
}
interface TestRequest {
  method: Method;
  url: string;
  headers: Record<string, string>;
  payload: object;
}

const guess = () => ({ authorization: `Bearer ${newApiKeyText({ live: true })}` });

/** Counts how often a credential is looked up in PostgreSQL. */
function watchLookups(gateway: TestGateway): () => number {
  const store = gateway.app.get(Database);
  const asSystem = store.asSystem.bind(store);
  let lookups = 0;
  store.asSystem = ((reason: string, run: never) => {
    if (reason === 'authenticate') lookups++;
    return asSystem(reason, run);
  }) as typeof store.asSystem;
  return () => lookups;
}

describe('limits by address', () => {
  it('cannot be evaded with forged headers', async () => {
    const gateway = await open({ RATE_LIMIT_BURST_SIZE: '1000' });
    const address = randomAddress();
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const made = `192.0.2.${i}`;
        const headers = { 'x-admin-key': `guess ${i}`, 'cf-connecting-ip': made, 'x-real-ip': made, forwarded: made };
        return (await ask(gateway, address, { url: '/api/v1/admin/stats', headers })).status;
      }),
    );
    expect([401, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([60, 40]);
  });

  it('apply to a whole /64 with IPv6', async () => {
    const gateway = await open();
    const block = `2001:db8:${randomInt(65536).toString(16)}:1`;
    const tries = Array.from({ length: 4 * burst }, (_, i) => ask(gateway, `${block}:${i}::1`, { headers: guess() }));
    expect((await Promise.all(tries)).map(({ status }) => status)).toContain(429);
  });

  it('SP-04 apply before any look-up: rejected guesses cause no query', async () => {
    const gateway = await open();
    const lookups = watchLookups(gateway);
    const address = randomAddress();
    const responses = await Promise.all(Array.from({ length: 200 }, () => ask(gateway, address, { headers: guess() })));
    expect(responses.filter(({ status }) => status === 401).length).toBe(lookups());
    expect(lookups()).toBeLessThan(burst + 5);
    expect(responses.filter(({ status }) => status === 429).length).toBe(200 - lookups());
  });

  it('do not affect callers with a valid key who share the address of a guessing caller', async () => {
    const gateway = await open();
    const wide = { rate_limit_requests_per_second: 1000, rate_limit_burst: 1000 };
    const tenant = await createTenant(database.superuserUrl, { customLimits: wide });
    const address = randomAddress();
    const headers = { authorization: `Bearer ${tenant.key}` };
    const valid = await Promise.all(Array.from({ length: 5 * burst }, () => ask(gateway, address, { headers })));
    expect(new Set(valid.map(({ status }) => status))).toEqual(new Set([200]));
    while ((await ask(gateway, address, { headers: guess() })).status !== 429);
    expect((await ask(gateway, address, { headers })).status).toBe(200);
  });

  it('count the first use of a key only if the key is invalid', async () => {
    const gateway = await open();
    const address = randomAddress();
    for (let i = 0; i < 3 * burst; i++) {
      const { key } = await createTenant(database.superuserUrl);
      expect((await ask(gateway, address, { headers: { 'x-api-key': key } })).status).toBe(200);
    }
  });

  it('reject guessed logins, and do not count successful ones', async () => {
    const gateway = await open({ RATE_LIMIT_BURST_SIZE: '1000' });
    const login = async (address: string, api_key: string) =>
      (await ask(gateway, address, { method: 'POST', url: '/api/v1/auth/login', payload: { api_key } })).status;
    const address = randomAddress();
    const guesses: number[] = [];
    for (let i = 0; i < 5; i++) guesses.push(await login(address, newApiKeyText({ live: true })));
    expect(guesses).toEqual([401, 401, 401, 429, 429]);
    const other = randomAddress();
    for (let i = 0; i < 5; i++) expect(await login(other, 'short')).toBe(400);
    for (let i = 0; i < 5; i++) {
      const { key } = await createTenant(database.superuserUrl);
      expect(await login(other, key)).toBe(200);
    }
  });
});

/** Every operation of the API description, with an id or a name for each parameter. */
function operationsOf({ paths }: OpenAPIObject): [Method, string][] {
  return Object.entries(paths).flatMap(([path, item]) =>
    (['get', 'post', 'put', 'patch', 'delete'] as const)
      .filter((method) => item[method] && !('x-forwarded' in item[method]))
      .map((method): [Method, string] => [
        method.toUpperCase() as Method,
        path.replaceAll(/\{\w+\}/g, '01900000-0000-7000-8000-000000000000'),
      ]),
  );
}

describe.each([
  ['with Redis', () => redis.url],
  ['without Redis', () => ''],
])('every route, %s', (_, redisUrl) => {
  it('responds to repeated wrong credentials with 429 and Retry-After', async () => {
    const gateway = await open({}, redisUrl());
    const routes = operationsOf(JSON.parse(gateway.app.get(ApiDescription).text) as OpenAPIObject).filter(
      ([, path]) => !path.startsWith('/health'),
    );
    expect(routes.length).toBeGreaterThan(60);
    routes.push(['GET', '/metrics'], ['GET', '/api/v1/metrics/prometheus'], ['POST', '/api/v1/no-such-route']);
    const never: string[] = [];
    for (const [method, url] of routes) {
      const address = randomAddress();
      let last = { status: 0, headers: {} as Record<string, unknown> };
      for (let i = 0; i < 10 * burst && last.status !== 429; i++) {
        const headers = { ...guess(), 'x-admin-key': `guess ${i}`, 'content-type': 'application/json' };
        last = await ask(gateway, address, { method, url, headers });
      }
      if (last.status !== 429 || !(Number(last.headers['retry-after']) >= 1)) never.push(`${method} ${url}`);
    }
    expect(never).toEqual([]);
  }, 120_000);
});
