import { createTenant, useDatabase, useRedis } from '@spooled/testing';
import { type TestGateway, useGateways } from '../gateway.fixture.js';

const database = useDatabase();
const open = useGateways(database, useRedis());
let gateway: TestGateway;
let other: TestGateway;

beforeAll(async () => {
  const env = { ADMIN_API_KEY: 'an-administrators-key' };
  [gateway, other] = await Promise.all([open(env), open({ ...env, REGISTRATION_MODE: 'closed' })]);
});

let count = 0;
const freshSlug = () => `tenant-${++count}`;
const register = async (more: object = {}) =>
  (await gateway.request('POST', '/organizations', null, { name: 'A Tenant', slug: freshSlug(), ...more })).body;
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

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
