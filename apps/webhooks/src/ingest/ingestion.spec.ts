import { createHmac, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { Database } from '@spooled/data-access';
import { createLogger } from '@spooled/platform';
import {
  parseShards,
  type RateLimit,
  rateLimitKeys,
  RateLimiter,
  RedisCredentialCache,
  RedisShards,
} from '@spooled/transport';
import {
  createTestDatabase,
  eventually,
  startRedis,
  type TestDatabase,
  type TestRedis,
  securityHeaders,
} from '@spooled/testing';
import { Tenant } from '../deliver/tenant.fixture.js';
import { startService, type RunningService } from '../service.fixture.js';

const githubSecret = 'the secret of all';
const sign = (body: string | Buffer, secret = githubSecret) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const signStripe = (body: string, at = Math.floor(Date.now() / 1000)) =>
  `t=${at},v1=${createHmac('sha256', 'whsec').update(`${at}.${body}`).digest('hex')}`;

let store: TestDatabase;
let redis: TestRedis;
let db: Database;
let service: RunningService;

const environment = () => ({
  DATABASE_URL: store.appUrl,
  DATABASE_SYSTEM_URL: store.systemUrl,
  REDIS_URL: redis.url,
  GITHUB_WEBHOOK_SECRET: githubSecret,
  STRIPE_WEBHOOK_SECRET: 'whsec',
});

interface Call {
  body: string | Buffer | object;
  headers?: Record<string, string>;
  to?: RunningService;
}

async function post(organizationId: string, source: string, { body, headers = {}, to = service }: Call) {
  const raw = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const response = await fetch(`${to.url}/api/v1/webhooks/${organizationId}/${source}`, {
    method: 'POST',
    body: raw as string,
    headers: { 'content-type': 'application/json', ...headers },
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text ? (JSON.parse(text) as Record<string, unknown>) : null,
  };
}

const github = (organizationId: string, body: string, more: Record<string, string> = {}) =>
  post(organizationId, 'github', {
    body,
    headers: { 'x-github-event': 'push', 'x-hub-signature-256': sign(body), ...more },
  });

const jobsOf = (tenant: Tenant) =>
  tenant.query<{ id: string; queue_name: string; payload: string; idempotency_key: string | null; priority: number }>(
    'SELECT id, queue_name, payload, idempotency_key, priority FROM job_records ORDER BY id',
  );

beforeAll(async () => {
  [store, redis] = await Promise.all([createTestDatabase(), startRedis()]);
  const size = { maxConnections: 4, minConnections: 0, acquireTimeoutMs: 5000, onError: () => undefined };
  db = new Database({ appUrl: store.appUrl, systemUrl: store.systemUrl, applicationName: 'spec', ...size });
  service = await startService(environment());
});
afterAll(async () => {
  await service?.stop();
  await db?.close();
  await Promise.all([redis?.close(), store?.drop()]);
});

describe('GitHub', () => {
  it('SP-52 SP-54 turns every payload example of GitHub into a job with exactly its bytes', async () => {
    const tenant = await Tenant.create(db);
    const examples = createRequire(import.meta.url)('@octokit/webhooks-examples') as {
      name: string;
      examples: object[];
    }[];
    const sent = examples
      .slice(0, 25)
      .map(({ name, examples: [first] }) => ({ name, body: JSON.stringify(first, null, 2) }));
    for (const { name, body } of sent) {
      const answer = await github(tenant.organizationId, body, { 'x-github-event': name });
      expect({ name, status: answer.status, text: answer.text }).toEqual({ name, status: 200, text: '' });
    }
    const jobs = await jobsOf(tenant);
    expect(jobs.map(({ queue_name, payload }) => [queue_name, payload])).toEqual(
      sent.map(({ name, body }) => [`github-${name}`, body]),
    );
  });

  it('SP-52 creates one job from a repeated delivery', async () => {
    const tenant = await Tenant.create(db);
    const delivery = { 'x-github-delivery': randomUUID() };
    expect((await github(tenant.organizationId, '{"n":1}', delivery)).status).toBe(200);
    expect((await github(tenant.organizationId, '{"n":1}', delivery)).status).toBe(200);
    expect(await jobsOf(tenant)).toEqual([
      expect.objectContaining({ idempotency_key: delivery['x-github-delivery'], payload: '{"n":1}' }),
    ]);
  });

  it('SP-54 refuses a changed body and unsigned calls', async () => {
    const { organizationId } = await Tenant.create(db);
    const signature = sign('{"n":1}');
    const refused = [
      await post(organizationId, 'github', {
        body: '{"n":2}',
        headers: { 'x-github-event': 'push', 'x-hub-signature-256': signature },
      }),
      await post(organizationId, 'github', { body: '{"n":1} ', headers: { 'x-hub-signature-256': signature } }),
      await post(organizationId, 'github', { body: '{"n":1}' }),
      await post(organizationId, 'github', { body: 'not even JSON' }),
    ];
    for (const { status, json } of refused) {
      expect({ status, json }).toEqual({
        status: 401,
        json: { code: 'AUTHENTICATION_FAILED', message: expect.stringContaining('webhook signature') },
      });
    }
  });

  it('SP-54 is verified with the organization’s own secret, and a new one applies at once in every process', async () => {
    const tenant = await Tenant.create(db, { settings: { github_webhook_secret: 'their own' } });
    const send = (secret: string) => github(tenant.organizationId, '{}', { 'x-hub-signature-256': sign('{}', secret) });
    expect((await send(githubSecret)).status).toBe(401);
    expect((await send('their own')).status).toBe(200);

    await tenant.query(`UPDATE organizations SET settings = '{"github_webhook_secret": "a new one"}'`);
    const other = new RedisShards({ shards: parseShards(redis.url), connectionName: 'spec', log: silent });
    const cache = new RedisCredentialCache(other, silent);
    await eventually(() => expect(other.connected).toBe(true));
    await cache.invalidate({ kind: 'organization', organizationId: tenant.organizationId, hashes: [] });
    await eventually(async () => expect((await send('a new one')).status).toBe(200), { timeoutMs: 3000 });
    expect((await send('their own')).status).toBe(401);
    await other.close();
  });

  it('SP-54 a new secret applies in every process even without an invalidation message', async () => {
    const tenant = await Tenant.create(db, { settings: { github_webhook_secret: 'their own' } });
    const send = (secret: string) => github(tenant.organizationId, '{}', { 'x-hub-signature-256': sign('{}', secret) });
    expect((await send('their own')).status).toBe(200);
    await tenant.query(`UPDATE organizations SET settings = '{"github_webhook_secret": "a new one"}'`);
    await eventually(async () => expect((await send('their own')).status).toBe(401), { timeoutMs: 6_000 });
    expect((await send('a new one')).status).toBe(200);
  });

  it('SP-54 rejects everything while no secret is configured, instead of skipping the check', async () => {
    const bare = await startService({ ...environment(), GITHUB_WEBHOOK_SECRET: undefined });
    const { organizationId } = await Tenant.create(db);
    const headers = { 'x-github-event': 'push', 'x-hub-signature-256': sign('{}', '') };
    expect(await post(organizationId, 'github', { body: '{}', headers, to: bare })).toMatchObject({ status: 401 });
    await bare.stop();
  });

  it('does not require a token from GitHub, but refuses a wrong one', async () => {
    const { organizationId } = await Tenant.create(db, { settings: { webhook_token: 'whk_right' } });
    expect((await github(organizationId, '{}')).status).toBe(200);
    expect((await github(organizationId, '{}', { 'x-webhook-token': 'whk_right' })).status).toBe(200);
    expect((await github(organizationId, '{}', { 'x-webhook-token': 'whk_wrong' })).status).toBe(401);
  });

  it('refuses a signed body that is too slow to parse or too deeply nested with a 4xx', async () => {
    const tenant = await Tenant.create(db);
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const wide = `[${Array.from({ length: 300_000 }, () => '{}').join()}]`;
    for (const [body, reason] of [
      [deep, 'nested deeper than 500 levels'],
      [wide, 'more than 250000 members and elements'],
    ] as const) {
      expect(await github(tenant.organizationId, body)).toMatchObject({
        status: 400,
        json: { code: 'INVALID_JSON', message: expect.stringContaining(reason) },
      });
    }
  });
});

describe('Stripe', () => {
  const event = JSON.stringify({
    id: 'evt_1',
    type: 'customer.subscription.trial_will_end',
    data: { object: { id: 'sub_1', amount: 5 } },
  });

  it('SP-52 SP-55 creates a job from the event’s object, once', async () => {
    const tenant = await Tenant.create(db);
    for (const _time of ['first', 'again']) {
      const headers = { 'stripe-signature': signStripe(event) };
      expect(await post(tenant.organizationId, 'stripe', { body: event, headers })).toMatchObject({
        status: 200,
        text: '',
      });
    }
    expect(await jobsOf(tenant)).toEqual([
      expect.objectContaining({
        queue_name: 'stripe-customer-subscription-trial_will_end',
        payload: '{"id":"sub_1","amount":5}',
        idempotency_key: 'evt_1',
      }),
    ]);
  });

  it('SP-55 refuses a call that is replayed after five minutes', async () => {
    const tenant = await Tenant.create(db);
    const headers = { 'stripe-signature': signStripe(event, Math.floor(Date.now() / 1000) - 301) };
    expect(await post(tenant.organizationId, 'stripe', { body: event, headers })).toMatchObject({ status: 401 });
    expect(await jobsOf(tenant)).toEqual([]);
  });
});

describe('custom', () => {
  const body = { queue_name: 'orders', payload: { job_type: 'ship', n: 1 }, priority: 7, idempotency_key: 'k1' };

  it('SP-56 creates a job with the sent fields, and returns it', async () => {
    const tenant = await Tenant.create(db);
    const first = await post(tenant.organizationId, 'custom', { body });
    const [job] = await jobsOf(tenant);
    expect(first).toMatchObject({
      status: 200,
      json: { job_id: job!.id, queue_name: 'orders', status: 'pending', created: true },
    });
    expect(job).toMatchObject({ queue_name: 'orders', payload: '{"job_type":"ship","n":1}', priority: 7 });
    const again = await post(tenant.organizationId, 'custom', { body });
    expect(again.json).toEqual({ job_id: job!.id, queue_name: 'orders', status: 'pending', created: false });
    expect(await jobsOf(tenant)).toHaveLength(1);
  });

  it('SP-56 requires the token of an organization that has one', async () => {
    const { organizationId } = await Tenant.create(db, { settings: { webhook_token: 'whk_right' } });
    const send = (headers: Record<string, string>) => post(organizationId, 'custom', { body, headers });
    expect((await send({})).json).toEqual({ code: 'AUTHENTICATION_FAILED', message: 'Missing webhook token' });
    expect((await send({ 'x-webhook-token': 'whk_wrong' })).status).toBe(401);
    expect((await send({ 'x-webhook-token': 'whk_right' })).status).toBe(200);
  });

  it.each([
    ['not JSON', '{', 400, { code: 'INVALID_JSON' }],
    ['an empty body', '', 400, { code: 'INVALID_JSON' }],
    ['broken UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, { code: 'INVALID_JSON' }],
    ['no payload', { queue_name: 'q' }, 422, { details: { payload: 'is required' } }],
    ['a wrong type', { queue_name: 7, payload: {} }, 422, { details: { queue_name: expect.any(String) } }],
    ['a reserved queue', { queue_name: 'admin', payload: {} }, 400, { details: { queue_name: 'is a reserved name' } }],
    ['dots', { queue_name: 'a..b', payload: {} }, 400, { details: { queue_name: expect.any(String) } }],
    [
      'a priority out of bounds',
      { queue_name: 'q', payload: 1, priority: 101 },
      400,
      { details: { priority: expect.any(String) } },
    ],
  ])('refuses %s and names the field', async (_what, bad, status, json) => {
    const { organizationId } = await Tenant.create(db);
    expect(await post(organizationId, 'custom', { body: bad })).toMatchObject({ status, json });
  });
});

describe('every source', () => {
  it.each(['custom', 'github', 'stripe'])(
    'SP-60 %s answers 404 for an organization that does not exist',
    async (source) => {
      for (const id of [randomUUID(), 'no-uuid']) {
        expect(await post(id, source, { body: {} })).toMatchObject({
          status: 404,
          json: { code: 'NOT_FOUND', message: 'Organization not found' },
        });
      }
    },
  );

  it('SP-69 has the security headers, whether it is accepted or refused', async () => {
    const { organizationId } = await Tenant.create(db);
    const accepted = await github(organizationId, '{"n":1}');
    const refused = await github(organizationId, '{"n":1}', { 'x-hub-signature-256': 'sha256=00' });
    expect([accepted.status, refused.status]).toEqual([200, 401]);
    for (const { headers } of [accepted, refused]) {
      expect(Object.fromEntries(headers)).toMatchObject({ ...securityHeaders, 'x-api-version': '1' });
    }
  });

  it('returns 404 in JSON for unknown routes', async () => {
    const { organizationId } = await Tenant.create(db);
    expect(await post(organizationId, 'gitlab', { body: {} })).toMatchObject({
      status: 404,
      json: { code: 'NOT_FOUND' },
    });
  });

  it('SP-97 accepts bodies up to 5 MB, but payloads only up to the plan limit', async () => {
    const { organizationId } = await Tenant.create(db, { plan: 'free' });
    const send = (bytes: number) =>
      post(organizationId, 'custom', { body: { queue_name: 'q', payload: 'x'.repeat(bytes - 2) } });
    expect((await send(65_536)).status).toBe(200);
    expect(await send(65_537)).toMatchObject({
      status: 413,
      json: { code: 'PAYLOAD_TOO_LARGE', current: 65_537, limit: 65_536, plan: 'free', upgrade_to: 'starter' },
    });
    expect(await send(5 * 1024 * 1024 + 1)).toMatchObject({ status: 413, json: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  it('returns 429 with the plan’s limit when it is exhausted', async () => {
    const tenant = await Tenant.create(db, { plan: 'free' });
    for (const queue_name of ['a', 'b']) {
      expect((await post(tenant.organizationId, 'custom', { body: { queue_name, payload: 1 } })).status).toBe(200);
    }
    const refused = await post(tenant.organizationId, 'custom', { body: { queue_name: 'c', payload: 1 } });
    expect(refused).toMatchObject({ status: 429, json: { code: 'QUOTA_EXCEEDED', resource: 'queues', limit: 2 } });
  });

  it('SP-13 limits the rate of each organization, and unauthenticated callers cannot use it up', async () => {
    const { organizationId } = await Tenant.create(db, { plan: 'free' });
    for (let i = 0; i < 20; i++) await post(organizationId, 'github', { body: '{}' });
    const answers = await Promise.all(Array.from({ length: 30 }, () => github(organizationId, '{"n":1}')));
    const refused = answers.filter(({ status }) => status === 429);
    const first = answers.find(({ status }) => status !== 401)!;
    expect(first.headers.get('x-ratelimit-limit')).toBe('10');
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(10);
    expect(refused.length).toBeGreaterThan(0);
    const limited = refused.find(({ json }) => json?.code === 'RATE_LIMIT_EXCEEDED')!;
    expect(limited.headers.get('retry-after')).toBe('1');
    expect(limited.json).toMatchObject({ limit: 10, remaining: 0, retry_after_secs: 1, reset_at: expect.any(Number) });
  });

  it('SP-13 webhooks count in the same bucket of the organization as its requests', async () => {
    const { organizationId } = await Tenant.create(db, { plan: 'free' });
    const log = createLogger({ service: 'spec', level: 'silent' });
    const shards = new RedisShards({ shards: parseShards(redis.url), connectionName: 'spec', log });
    await eventually(() => expect(shards.connected).toBe(true));
    const key = rateLimitKeys.organization(organizationId);
    const bucket: RateLimit = { kind: 'bucket', key, scope: 'organization', ratePerSecond: 5, burst: 10 };
    const refused = await eventually(async () => {
      await new RateLimiter(shards).take(organizationId, [bucket], 10);
      const answer = await github(organizationId, '{"n":2}');
      expect(answer.status).toBe(429);
      return answer;
    });
    expect(refused.headers.get('x-ratelimit-scope')).toBe('organization');
    await shards.close();
  });

  it('reports the limit of the address to senders without a proof', async () => {
    const { organizationId } = await Tenant.create(db);
    const refused = await post(organizationId, 'github', { body: '{}' });
    expect([refused.status, refused.headers.get('x-ratelimit-scope')]).toEqual([401, 'ip']);
    const unknown = await fetch(`${service.url}/api/v1/nothing`);
    expect([unknown.status, unknown.headers.get('x-ratelimit-scope')]).toEqual([404, 'ip']);
  });

  it('returns 503 and names the dependency while PostgreSQL is unavailable', async () => {
    const nowhere = 'postgres://spooled_app:app@127.0.0.1:9/none';
    const cut = await startService({ ...environment(), DATABASE_URL: nowhere, DATABASE_SYSTEM_URL: nowhere });
    const answer = await post(randomUUID(), 'custom', { body: { queue_name: 'q', payload: 1 }, to: cut });
    expect(answer).toMatchObject({
      status: 503,
      json: { code: 'SERVICE_UNAVAILABLE', message: 'PostgreSQL is unavailable' },
    });
    expect(answer.headers.get('retry-after')).toBe('1');
    await cut.stop();
  });

  it('requires HTTPS in production, as reported by the proxy', async () => {
    const production = await startService({ ...environment(), RUST_ENV: 'production' });
    const { organizationId } = await Tenant.create(db);
    const send = (headers: Record<string, string>) =>
      post(organizationId, 'custom', { body: { queue_name: 'q', payload: 1 }, headers, to: production });
    expect(await send({})).toMatchObject({ status: 400, json: { code: 'BAD_REQUEST' } });
    expect((await send({ 'x-forwarded-proto': 'http' })).status).toBe(400);
    expect((await send({ 'x-forwarded-proto': 'https' })).status).toBe(200);
    await production.stop();
  });
});

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
