import { Database, newApiKeyText } from '@spooled/data-access';
import { createTenant, fromNow, msUntil, root, useDatabase, useRedis } from '@spooled/testing';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomAddress, type TestGateway, untilBurstFitsMinute, useSharedGateways } from '../gateway.fixture.js';

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
const start = useSharedGateways(database, redis);
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
  payload: object | undefined;
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
    await untilBurstFitsMinute();
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
    const began = fromNow(0);
    const responses = await Promise.all(Array.from({ length: 200 }, () => ask(gateway, address, { headers: guess() })));
    expect(responses.filter(({ status }) => status === 401).length).toBe(lookups());
    // One more is allowed each second.
    expect(lookups()).toBeLessThanOrEqual(burst + Math.ceil(-msUntil(began) / 1_000));
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

describe('valid credentials are admitted where others fail', () => {
  const sessionUrl = '/api/v1/console/session';
  const previewUrl = '/api/v1/console/login-links/preview';
  const wrong = (address: string, gateway: TestGateway, url: string, payload: () => object) =>
    Promise.all(Array.from({ length: 30 }, () => ask(gateway, address, { method: 'POST', url, payload: payload() })));
  const guessed = () => newApiKeyText({ live: true });
  const routes: [name: string, url: string, guess: () => object, proof: (gateway: TestGateway) => Promise<object>][] = [
    ['a key', '/api/v1/auth/login', () => ({ api_key: guessed() }), async () => ({ api_key: await newKey() })],
    ['a key in the console', sessionUrl, () => ({ api_key: guessed() }), async () => ({ api_key: await newKey() })],
    ['a login link', previewUrl, () => ({ code: guessed() }), async (gateway) => ({ code: await newCode(gateway) })],
    [
      "the administrator's key",
      sessionUrl,
      () => ({ admin_key: guessed() }),
      () => Promise.resolve({ admin_key: adminKey }),
    ],
    [
      'a refresh token',
      '/api/v1/auth/refresh',
      () => ({ refresh_token: guessed() }),
      async (gateway) => ({ refresh_token: await newRefreshToken(gateway) }),
    ],
  ];
  const newKey = async () => (await createTenant(database.superuserUrl)).key;
  const newCode = async (gateway: TestGateway) =>
    (await gateway.request('POST', '/console/login-links', await newKey())).body.code as string;
  const newRefreshToken = async (gateway: TestGateway) =>
    (await gateway.request('POST', '/auth/login', null, { api_key: await newKey() })).body.refresh_token as string;

  it.each(routes)('%s', async (_, url, guess, proof) => {
    const gateway = await open({ RATE_LIMIT_BURST_SIZE: '1000' });
    const address = randomAddress();
    const failures = await wrong(address, gateway, url, guess);
    expect(new Set(failures.map(({ status }) => status))).toEqual(new Set([401, 429]));
    const payload = await proof(gateway);
    expect((await ask(gateway, address, { method: 'POST', url, payload })).status).toBe(200);
  });

  it('a login link in the browser that has shown it', async () => {
    const gateway = await open({ RATE_LIMIT_BURST_SIZE: '1000' });
    const address = randomAddress();
    await wrong(address, gateway, sessionUrl, () => ({ code: guessed() }));
    const payload = { code: await newCode(gateway) };
    const { headers } = await ask(gateway, address, { method: 'POST', url: previewUrl, payload });
    const cookie = String(headers['set-cookie']).split(';')[0]!;
    const signIn: TestRequest = { method: 'POST', url: sessionUrl, payload, headers: { cookie } };
    expect((await ask(gateway, address, signIn)).status).toBe(200);
  });

  it.each<[string, TestRequest, Record<string, string>]>([
    [
      "the administrator's key in a header",
      { url: '/api/v1/admin/plans', method: 'GET', headers: { 'x-admin-key': 'guess' }, payload: undefined },
      { 'x-admin-key': adminKey },
    ],
    [
      "the administrator's key at a registration",
      {
        url: '/api/v1/organizations',
        method: 'POST',
        headers: { 'x-admin-key': 'guess' },
        payload: { name: 'Some name', slug: 'a-slug-of-limits' },
      },
      { 'x-admin-key': adminKey },
    ],
    [
      'the token of metrics',
      { url: '/metrics', method: 'GET', headers: { authorization: 'Bearer guess' }, payload: undefined },
      { authorization: 'Bearer the token of this scraper' },
    ],
  ])('%s', async (_, request, headers) => {
    const gateway = await open({ RATE_LIMIT_BURST_SIZE: '1000' });
    const address = randomAddress();
    const guesses = await Promise.all(Array.from({ length: 70 }, () => ask(gateway, address, request)));
    expect(guesses.map(({ status }) => status)).toContain(429);
    expect((await ask(gateway, address, { ...request, headers })).status).toBeLessThan(300);
  });

  it('and failures with one beginning of a key count from all addresses', async () => {
    const gateway = await open();
    const key = await newKey();
    const attempt = (api_key: string) =>
      ask(gateway, randomAddress(), { method: 'POST', url: '/api/v1/auth/login', payload: { api_key } });
    const variants = ['a', 'b', 'c', 'd'].map((end) => `${key.slice(0, -4)}${end.repeat(4)}`);
    const statuses = [];
    for (const variant of variants) statuses.push((await attempt(variant)).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await attempt(key)).status).toBe(200);
  });
});

describe('a proxy that no setting names', () => {
  const warnings = ({ logs }: TestGateway) => logs.filter((line) => line.includes('TRUSTED_PROXY_HOPS is 0'));

  it('is warned of once', async () => {
    const gateway = await open({ TRUSTED_PROXY_HOPS: '0' });
    await gateway.app.inject({ url: '/api/v1/jobs' });
    expect(warnings(gateway)).toEqual([]);
    for (let i = 0; i < 2; i++) await ask(gateway, '203.0.113.9');
    expect(warnings(gateway)).toHaveLength(1);
  });

  it.each<Record<string, string>>([
    { TRUSTED_PROXY_HOPS: '1' },
    { TRUSTED_PROXY_HOPS: '0', TRUSTED_CLIENT_IP_HEADER: 'x-real-ip' },
  ])('is not suspected with %o', async (env) => {
    const gateway = await open(env);
    await ask(gateway, '203.0.113.9');
    expect(warnings(gateway)).toEqual([]);
  });
});

interface ApiDescription {
  paths: Record<string, Record<string, { 'x-forwarded'?: true }>>;
}

/** Every operation of the API description, with an id or a name for each parameter. */
function operationsOf({ paths }: ApiDescription): [Method, string][] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => !operation['x-forwarded'])
      .map(([method]): [Method, string] => [
        method.toUpperCase() as Method,
        path.replaceAll(/\{\w+\}/g, '01900000-0000-7000-8000-000000000000'),
      ]),
  );
}

describe('repeated wrong credentials', () => {
  const others: [Method, string][] = [
    ['GET', '/metrics'],
    ['GET', '/api/v1/metrics/prometheus'],
    ['POST', '/api/v1/no-such-route'],
  ];
  /** Routes that do not respond with 429 and Retry-After, however often they are tried. */
  async function neverRefused(gateway: TestGateway, routes: [Method, string][]): Promise<string[]> {
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
    return never;
  }

  it('are refused by every route', async () => {
    const gateway = await open({ RATE_LIMIT_BURST_SIZE: '1' });
    const description = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as ApiDescription;
    const routes = operationsOf(description).filter(([, path]) => !path.startsWith('/health'));
    expect(routes.length).toBeGreaterThan(60);
    expect(await neverRefused(gateway, [...routes, ...others])).toEqual([]);
  });

  it('are refused without Redis, by routes of tenants and of administrators and at logins as well', async () => {
    const gateway = await open({ RATE_LIMIT_BURST_SIZE: '1' }, '');
    const routes: typeof others = [
      ['GET', '/api/v1/queues'],
      ['GET', '/api/v1/admin/stats'],
      ['POST', '/api/v1/auth/login'],
    ];
    expect(await neverRefused(gateway, [...routes, ...others])).toEqual([]);
  });
});
