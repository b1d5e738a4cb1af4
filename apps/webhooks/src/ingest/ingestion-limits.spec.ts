import { randomUUID } from 'node:crypto';
import { insertContract } from '@spooled/data-access';
import { createLogger } from '@spooled/platform';
import { eventually, securityHeaders } from '@spooled/testing';
import { parseShards, type RateLimit, rateLimitKeys, RateLimiter, RedisShards } from '@spooled/transport';
import { Tenant } from '../deliver/tenant.fixture.js';
import { startService } from '../service.fixture.js';
import { IngestionFixture } from './ingestion.fixture.js';

let fixture: IngestionFixture;
let redis: IngestionFixture['redis'];
let db: IngestionFixture['db'];
let service: IngestionFixture['service'];
let environment: IngestionFixture['environment'];
let post: IngestionFixture['post'];
let github: IngestionFixture['github'];

beforeAll(async () => {
  fixture = await IngestionFixture.open();
  ({ redis, db, service, environment, post, github } = fixture);
});
afterAll(() => fixture?.close());

describe('every source', () => {
  it.each(['custom', 'github', 'stripe', 'standard'])(
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
    const tenant = await Tenant.create(db, { plan: 'free' });
    const { organizationId } = tenant;
    await tenant.query(
      `UPDATE organizations SET custom_limits = '{"rate_limit_requests_per_second": 1, "rate_limit_burst": 10}'`,
    );
    const log = createLogger({ service: 'spec', level: 'silent' });
    const shards = new RedisShards({ shards: parseShards(redis.url), connectionName: 'spec', log });
    await eventually(() => expect(shards.connected).toBe(true));
    const key = rateLimitKeys.organization(organizationId);
    const bucket: RateLimit = { kind: 'bucket', key, scope: 'organization', ratePerSecond: 1, burst: 10 };
    const refused = await eventually(async () => {
      await new RateLimiter(shards).take(organizationId, [bucket], 10);
      const answer = await github(organizationId, '{"n":2}');
      expect(answer.status).toBe(429);
      return answer;
    });
    expect(refused.headers.get('x-ratelimit-scope')).toBe('organization');
    await shards.close();
  });

  it('BX-09 a payload that takes long to check costs the organization tokens of its rate', async () => {
    const { organizationId } = await Tenant.create(db);
    const both = (i: number) => ({ anyOf: [{ $ref: `#/$defs/d${i}` }, { $ref: `#/$defs/d${i}` }] });
    const $defs = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`d${i}`, both(i + 1)]));
    const schema = JSON.stringify({ $ref: '#/$defs/d0', $defs: { ...$defs, d60: false } });
    const contract = { mode: 'warn', compatibility: 'none', schema, createdBy: null } as const;
    await db.withTenant(organizationId, (tx) => insertContract(tx, 'github-push', 1, contract));
    const { status, headers } = await github(organizationId, '{"n":1}');
    const [limit, remaining, cost] = ['limit', 'remaining', 'cost'].map((name) =>
      Number(headers.get(`x-ratelimit-${name}`)),
    );
    expect([status, cost]).toEqual([200, expect.any(Number)]);
    expect(cost).toBeGreaterThan(10);
    expect(limit! - remaining!).toBeGreaterThanOrEqual(cost! - 1);
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
    const production = await startService({ ...environment(), SPOOLED_ENV: 'production' });
    const { organizationId } = await Tenant.create(db);
    const send = (headers: Record<string, string>) =>
      post(organizationId, 'custom', { body: { queue_name: 'q', payload: 1 }, headers, to: production });
    expect(await send({})).toMatchObject({ status: 400, json: { code: 'BAD_REQUEST' } });
    expect((await send({ 'x-forwarded-proto': 'http' })).status).toBe(400);
    expect((await send({ 'x-forwarded-proto': 'https' })).status).toBe(200);
    await production.stop();
  });
});
