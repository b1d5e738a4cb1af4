import {
  createTenant,
  createTestDatabase,
  eventually,
  startRedis,
  type TestDatabase,
  type TestRedis,
} from '@spooled/testing';
import pg from 'pg';
import { startGateway, type TestGateway } from '../gateway.fixture.js';

let database: TestDatabase;
let redis: TestRedis;
let gateway: TestGateway;
let other: TestGateway;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
  const env = { ADMIN_API_KEY: 'an-administrators-key' };
  [gateway, other] = await Promise.all([
    startGateway(database, { redisUrl: redis.url, env }),
    startGateway(database, { redisUrl: redis.url, env: { ...env, REGISTRATION_MODE: 'closed' } }),
  ]);
});
afterAll(async () => {
  await Promise.all([gateway?.stop(), other?.stop()]);
  await redis?.close();
  await database?.drop();
});

let count = 0;
const freshSlug = () => `tenant-${++count}`;
const register = async (more: object = {}) =>
  (await gateway.request('POST', '/organizations', null, { name: 'A Tenant', slug: freshSlug(), ...more })).body;
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
const unknownId = '01890000-0000-7000-8000-000000000000';

describe('registration', () => {
  it('SP-102 returns the organization on the free plan and a key that works at once at any gateway', async () => {
    const { organization, api_key } = await register({ billing_email: 'a@tenant.example' });
    expect(organization).toEqual({
      id: expect.any(String),
      name: 'A Tenant',
      slug: `tenant-${count}`,
      plan_tier: 'free',
      billing_email: 'a@tenant.example',
      settings: { webhook_token: expect.stringMatching(/^whk_[\w-]{32}$/) },
      custom_limits: null,
      stripe_customer_id: null,
      stripe_subscription_id: null,
      stripe_subscription_status: null,
      stripe_current_period_end: null,
      stripe_cancel_at_period_end: null,
      created_at: timestamp,
      updated_at: timestamp,
    });
    expect(api_key).toEqual({
      id: expect.any(String),
      key: expect.stringMatching(/^sk_test_[\w-]{43}$/),
      name: 'Initial Admin Key',
      created_at: timestamp,
    });
    const { id, slug } = organization;
    expect((await other.request('GET', '/organizations', api_key.key)).body).toEqual([
      { id, name: 'A Tenant', slug, plan_tier: 'free', created_at: organization.created_at },
    ]);
  });

  it.each([
    ['admin', 400],
    ['ab', 400],
    ['x'.repeat(51), 400],
    ['Upper', 400],
    ['1st', 400],
    ['two--hyphens', 400],
    ['ends-', 400],
    [7, 422],
  ])('rejects the slug %p with %i', async (slug, status) => {
    const response = await gateway.request('POST', '/organizations', null, { name: 'A Tenant', slug });
    expect(response).toMatchObject({
      status,
      body: { code: 'VALIDATION_ERROR', details: { slug: expect.any(String) } },
    });
  });

  it('of concurrent registrations of a slug one succeeds, the others get 409', async () => {
    const slug = freshSlug();
    const attempts = Array.from({ length: 5 }, () =>
      gateway.request('POST', '/organizations', null, { name: 'Race', slug }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 409, 409, 409, 409]);
  });

  it('a billing e-mail address is unique, ignoring case', async () => {
    await register({ billing_email: 'Same@tenant.example' });
    expect(await register({ billing_email: 'same@TENANT.example' })).toMatchObject({ code: 'CONFLICT' });
  });

  it('needs the administrator key if REGISTRATION_MODE is closed', async () => {
    const payload = { name: 'Closed', slug: freshSlug() };
    const post = (headers: Record<string, string>) =>
      other.app.inject({ method: 'POST', url: '/api/v1/organizations', headers, payload });
    expect((await post({})).statusCode).toBe(403);
    expect((await post({ 'x-admin-key': 'wrong' })).json()).toMatchObject({ code: 'ACCESS_DENIED' });
    expect((await post({ 'x-admin-key': 'an-administrators-key' })).statusCode).toBe(201);
  });

  it('checks and generates slugs', async () => {
    const { organization } = await register();
    const check = async (slug: string) =>
      (await gateway.request('GET', `/organizations/check-slug?slug=${slug}`, null)).body;
    expect(await check('unused-slug')).toEqual({ slug: 'unused-slug', available: true, valid: true });
    expect(await check(organization.slug)).toMatchObject({ available: false, valid: true, error: expect.any(String) });
    const { suggestion } = await check('Not A Slug!');
    expect(await check(suggestion)).toMatchObject({ available: true });
    expect((await gateway.request('GET', '/organizations/check-slug/root', null)).body).toMatchObject({ valid: false });
  });
});

it('SP-70 the text of a key is in no table', async () => {
  const { organization, api_key } = await register();
  const second = await gateway.request('POST', '/api-keys', api_key.key, { name: 'second' });
  const superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
  try {
    const { rows: tables } = await superuser.query<{ name: string }>(
      `SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
    );
    const textOf = async (name: string) => {
      const { rows } = await superuser.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      return rows.map(({ row }) => row).join();
    };
    const texts = await Promise.all(tables.map(async ({ name }) => ({ name, text: await textOf(name) })));
    expect(texts.find(({ name }) => name === 'api_keys')!.text).toContain(organization.id);
    for (const key of [api_key.key as string, second.body.key as string])
      expect(texts.flatMap(({ name, text }) => (text.includes(key.slice('sk_test_'.length)) ? name : []))).toEqual([]);
  } finally {
    await superuser.end();
  }
});

describe('an organization', () => {
  it('SP-61 is 404 for other tenants, and so are its keys', async () => {
    // Not registered, because so many requests would exceed the rate limit of the free plan.
    const [{ key }, theirs] = [await createTenant(database.superuserUrl), await register()];
    const { id } = theirs.organization;
    const keyId = theirs.api_key.id;
    for (const [method, path, body] of [
      ['GET', `/organizations/${id}`],
      ['PUT', `/organizations/${id}`, { name: 'Stolen' }],
      ['DELETE', `/organizations/${id}`],
      ['GET', `/organizations/${id}/usage`],
      ['GET', `/organizations/${id}/members`],
      ['GET', `/organizations/${id}/webhook-token`],
      ['GET', `/api-keys/${keyId}`],
      ['PUT', `/api-keys/${keyId}`, { name: 'Stolen' }],
      ['DELETE', `/api-keys/${keyId}`],
      ['GET', '/organizations/no-uuid'],
      ['GET', '/api-keys/no-uuid'],
    ] as const) {
      expect([path, (await gateway.request(method, path, key, body)).status]).toEqual([path, 404]);
    }
    expect((await gateway.request('GET', '/api-keys', key)).body).toHaveLength(1);
    expect((await gateway.request('GET', `/organizations/${id}`, theirs.api_key.key)).body.name).toBe('A Tenant');
  });

  it('replaces its settings but keeps its webhook token; null and absent members change nothing', async () => {
    const { organization, api_key } = await register();
    const update = (body: unknown) => gateway.request('PUT', `/organizations/${organization.id}`, api_key.key, body);
    const { webhook_token } = organization.settings;
    expect((await update({ settings: { theme: 'dark' }, name: null })).body).toMatchObject({
      name: 'A Tenant',
      settings: { theme: 'dark', webhook_token },
    });
    expect((await update({ name: 'Renamed' })).body).toMatchObject({ name: 'Renamed', settings: { theme: 'dark' } });
  });

  it('shows its webhook token to unscoped keys only, and regenerates it', async () => {
    const tenant = await createTenant(database.superuserUrl);
    const scoped = await tenant.keyFor('mail');
    const { body: before } = await gateway.request('GET', '/organizations/webhook-token', tenant.key);
    expect(before).toEqual({
      webhook_token: expect.stringMatching(/^whk_/),
      token: before.webhook_token,
      webhook_url: expect.stringMatching(new RegExp(`^http.*/api/v1/webhooks/${tenant.organizationId}/custom$`)),
    });
    const { body: after } = await gateway.request('POST', '/organizations/webhook-token/regenerate', tenant.key);
    expect(after.webhook_token).not.toBe(before.webhook_token);
    const clear = () => gateway.request('POST', '/organizations/webhook-token/clear', tenant.key, { confirm: true });
    expect(await clear()).toMatchObject({ status: 204, body: null });
    // Cleared means that the old one has ended, never that none is needed.
    const { body: cleared } = await gateway.request('GET', '/organizations/webhook-token', tenant.key);
    expect(cleared.webhook_token).toMatch(/^whk_/);
    expect(cleared.webhook_token).not.toBe(after.webhook_token);
    expect((await gateway.request('GET', '/organizations/webhook-token', scoped)).body.code).toBe('ACCESS_DENIED');
    const own = `/organizations/${tenant.organizationId}`;
    expect((await gateway.request('GET', own, scoped)).body.settings).toEqual({});
    expect((await gateway.request('PUT', own, scoped, { name: 'Nope' })).status).toBe(403);
  });

  it('reports its usage, with warnings from one half on the free plan', async () => {
    const { api_key } = await register();
    await gateway.request('POST', '/jobs', api_key.key, { queue_name: 'mail', payload: {} });
    const { body } = await gateway.request('GET', '/organizations/usage', api_key.key);
    expect(body).toMatchObject({
      plan: 'free',
      plan_display_name: 'Free',
      limits: { tier: 'free', max_active_jobs: 10, max_queues: 2, max_workers: 1 },
      usage: {
        jobs_today: { current: 1, limit: 1000, percentage: 0.1, is_disabled: false },
        active_jobs: { current: 1, limit: 10 },
        queues: { current: 1, limit: 2 },
        workflows: { current: 0, limit: 0, percentage: null, is_disabled: true },
      },
    });
    expect(body.warnings.map((one: { resource: string }) => one.resource)).toEqual(['queues', 'api_keys']);
  });

  it('can be deleted once nothing is active; then its keys are rejected', async () => {
    const { organization, api_key } = await register();
    const job = await gateway.request('POST', '/jobs', api_key.key, { queue_name: 'mail', payload: {} });
    const remove = () => gateway.request('DELETE', `/organizations/${organization.id}`, api_key.key);
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect((await gateway.request('DELETE', `/jobs/${job.body.id}`, api_key.key)).status).toBe(204);
    expect((await remove()).status).toBe(204);
    expect((await gateway.request('GET', '/organizations', api_key.key)).status).toBe(401);
  });
});

describe('API keys', () => {
  it('SP-71 are shown once, listed newest first, and have queues, a rate limit and an expiry', async () => {
    const { key } = await createTenant(database.superuserUrl);
    const expires_at = '2999-01-01T00:00:00.000Z';
    const body = { name: 'worker (mail)', queues: ['mail'], rate_limit: 5, expires_at };
    const created = await gateway.request('POST', '/api-keys', key, body);
    const { id } = created.body;
    expect(created).toMatchObject({ status: 201, body: { name: body.name, queues: ['mail'], expires_at } });
    const list = (await gateway.request('GET', '/api-keys', key)).body;
    expect(list[0]).toEqual({
      ...{
        id,
        name: body.name,
        queues: ['mail'],
        rate_limit: 5,
        role: 'admin',
        is_active: true,
        last_used: null,
        expires_at,
      },
      ...{ organization_id: expect.any(String), key_prefix: 'sk_test_', created_at: timestamp },
    });
    expect(JSON.stringify(list)).not.toContain(created.body.key);
    expect((await gateway.request('GET', `/api-keys/${id}`, key)).body).toEqual(list[0]);
    expect(
      (await gateway.request('POST', '/jobs', created.body.key, { queue_name: 'other', payload: {} })).status,
    ).toBe(403);
  });

  it.each([
    ['permissions', { permissions: ['jobs:read'] }],
    ['an expiry in the past', { expires_at: '2001-01-01T00:00:00Z' }],
    ['51 queues', { queues: Array.from({ length: 51 }, (_, i) => `q${i}`) }],
    ['a rate limit of 0', { rate_limit: 0 }],
    ['a name with odd characters', { name: 'a/b' }],
  ])('rejects %s', async (_, more) => {
    const { key } = await createTenant(database.superuserUrl);
    expect((await gateway.request('POST', '/api-keys', key, { name: 'ok', ...more })).status).toBe(400);
  });

  it('SP-72 a change takes effect at every gateway at once: scope, deactivation, reactivation, revocation', async () => {
    const { key } = await createTenant(database.superuserUrl);
    const { body: made } = await gateway.request('POST', '/api-keys', key, { name: 'changing' });
    const list = async () => (await other.request('GET', '/queues/mail/stats', made.key)).status;
    const change = (body: unknown) => gateway.request('PUT', `/api-keys/${made.id}`, key, body);
    expect(await list()).not.toBe(401);
    await change({ queues: ['other'] });
    await eventually(async () => expect(await list()).toBe(403));
    await change({ is_active: false });
    await eventually(async () => expect(await list()).toBe(401));
    await change({ is_active: true });
    await eventually(async () => expect(await list()).toBe(403));
    expect((await gateway.request('DELETE', `/api-keys/${made.id}`, key)).status).toBe(204);
    expect((await gateway.request('GET', '/organizations', made.key)).status).toBe(401);
    await eventually(async () => expect(await list()).toBe(401));
  });

  it('concurrent creations do not exceed the plan', async () => {
    const { key } = await createTenant(database.superuserUrl, { customLimits: { max_api_keys: 4 } });
    const attempts = Array.from({ length: 8 }, (_, i) => gateway.request('POST', '/api-keys', key, { name: `k${i}` }));
    const responses = await Promise.all(attempts);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429, 429, 429, 429, 429]);
    const { headers, body } = responses.find(({ status }) => status === 429)!;
    expect(body).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      error: 'limit_exceeded',
      resource: 'api_keys',
      current: 4,
      limit: 4,
    });
    expect(headers).not.toHaveProperty('retry-after');
  });

  it('an unknown key is 404', async () => {
    const { key } = await createTenant(database.superuserUrl);
    expect((await gateway.request('PUT', `/api-keys/${unknownId}`, key, { name: 'x' })).body.code).toBe('NOT_FOUND');
    expect((await gateway.request('DELETE', `/api-keys/${unknownId}`, key)).status).toBe(404);
  });
});
