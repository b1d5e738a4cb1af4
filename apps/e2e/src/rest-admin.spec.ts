import { randomUUID } from 'node:crypto';
import { eventually } from '@spooled/testing';
import { adminRoutes, newSlug, organizationOf } from './admin-shapes.js';
import { aTime, anId, problem, RestCaller } from './rest-caller.js';
import { useStack } from './use-rest.js';

const stack = useStack();
let admin: RestCaller;
let address = 0;

beforeEach(() => {
  // Admin routes allow 60 requests per minute and address, so each test uses its own address.
  admin = adminFrom(`192.0.2.${++address}`);
});

const adminFrom = (from: string, gateway = 0) =>
  new RestCaller(stack.baseUrls[gateway]!, null, { 'x-admin-key': stack.adminKey, 'x-forwarded-for': from });
const as = (credential: string, gateway = 0) => new RestCaller(stack.baseUrls[gateway]!, credential);
const text = expect.any(String) as unknown as string;
const post = (caller: RestCaller, queue_name = 'mail') => caller.post('/jobs', { queue_name, payload: {} });

async function create(body: object = {}) {
  const { status, body: created } = await admin.post('/admin/organizations', {
    name: 'Made',
    slug: newSlug(),
    ...body,
  });
  expect(status).toBe(201);
  return { id: created.id as string, slug: created.slug as string, key: created.api_key.key as string };
}
const update = (id: string, body: object) => admin.send('PATCH', `/admin/organizations/${id}`, body);

describe('admin routes', () => {
  it('accept only the admin key, and no key of an organization', async () => {
    for (const [method, path] of adminRoutes(stack.organizationId)) {
      const { status, body } = await as(stack.apiKey).send(method, path, method === 'GET' ? undefined : {});
      expect([path, status, body]).toEqual([
        path,
        401,
        { code: 'UNAUTHORIZED', error: 'missing_admin_key', message: text },
      ]);
    }
    expect(problem(await admin.get('/jobs'))).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  });
});

describe('POST /admin/organizations', () => {
  it('creates an organization of any plan; its fields are also at the top level, where some SDKs read them', async () => {
    const slug = newSlug();
    const body = { name: 'Made', slug, billing_email: `${slug}@example.com`, plan_tier: 'pro' };
    const { status, body: created } = await admin.post('/admin/organizations', body);
    const organization = organizationOf({ slug, plan_tier: 'pro', billing_email: `${slug}@example.com` });
    const api_key = {
      id: anId,
      key: expect.stringMatching(/^sk_/) as unknown,
      name: 'Initial Admin Key',
      created_at: aTime,
    };
    expect([status, created]).toEqual([201, { ...organization, organization, api_key }]);
    expect((await post(as(created.api_key.key))).status).toBe(201);
    const again = async (change: object) => problem(await admin.post('/admin/organizations', { ...body, ...change }));
    expect(await again({ billing_email: null })).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect(await again({ slug: newSlug() })).toMatchObject({ status: 409, code: 'CONFLICT' });
    const taken = { billing_email: body.billing_email };
    expect(problem(await update(stack.organizationId, taken))).toMatchObject({ status: 409, code: 'CONFLICT' });
  });

  it('rejects invalid input with the name of the field', async () => {
    const attempt = async (body: object) => problem(await admin.post('/admin/organizations', body));
    expect(await attempt({ slug: newSlug() })).toMatchObject({ status: 422, details: { name: text } });
    expect(await attempt({ name: 'ab', slug: newSlug() })).toMatchObject({ status: 400, details: { name: text } });
    expect(await attempt({ name: 'Made', slug: 'admin' })).toMatchObject({ status: 400, details: { slug: text } });
    expect(await attempt({ name: 'Made', slug: newSlug(), plan_tier: 'gold' })).toMatchObject({
      status: 400,
      details: { plan_tier: text },
    });
    expect(await attempt({ name: 'Made', slug: newSlug(), billing_email: 'nobody' })).toMatchObject({ status: 400 });
  });
});

describe('GET /admin/organizations', () => {
  it('shows the usage of each organization; searches, filters, sorts and pages', async () => {
    const marker = `w${randomUUID()}`;
    const names = ['b', 'a', 'c'].map((letter) => `${letter} ${marker}`);
    const created = [];
    for (const name of names) created.push(await create({ name, plan_tier: name.startsWith('a') ? 'starter' : 'pro' }));
    await post(as(created[0]!.key));
    const list = async (query: string) =>
      (await admin.get(`/admin/organizations?search=${marker.toUpperCase()}&${query}`)).body;
    const named = async (query: string) =>
      (await list(query)).organizations.map(({ name }: { name: string }) => name[0]) as string[];

    const { organizations, ...page } = await list('');
    expect(page).toEqual({ total: 3, limit: 50, offset: 0 });
    expect(organizations[2]).toEqual({
      id: created[0]!.id,
      name: names[0],
      slug: created[0]!.slug,
      plan_tier: 'pro',
      billing_email: null,
      created_at: aTime,
      updated_at: aTime,
      usage: { jobs_today: 1, active_jobs: 1, queues: 1, workers: 0, api_keys: 1 },
    });
    expect(await named('')).toEqual(['c', 'a', 'b']);
    expect(await named('sort_by=name&sort_order=asc')).toEqual(['a', 'b', 'c']);
    expect(await named('sort_by=name')).toEqual(['c', 'b', 'a']);
    expect(await named('plan_tier=pro')).toEqual(['c', 'b']);
    expect(await list('limit=1&offset=1')).toMatchObject({
      organizations: [{ name: names[1] }],
      total: 3,
      limit: 1,
      offset: 1,
    });
    expect(await list('offset=9')).toEqual({ organizations: [], total: 3, limit: 50, offset: 9 });
    expect(await list('limit=1000&offset=-1')).toMatchObject({ limit: 100, offset: 0 });
    expect((await admin.get('/admin/organizations?search=100%25')).body.organizations).toEqual([]);
    expect(problem(await admin.get('/admin/organizations?sort_by=password'))).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      details: { sort_by: text },
    });
  });
});

describe('GET /admin/organizations/{id}', () => {
  it('shows the organization with its limits and its usage', async () => {
    const { id, slug, key } = await create();
    await post(as(key));
    const { status, body } = await admin.get(`/admin/organizations/${id}`);
    const { usage_info, ...rest } = body;
    expect([status, rest]).toEqual([200, { ...organizationOf({ id, slug }), api_keys_count: 1, total_jobs: 1 }]);
    expect(usage_info).toEqual((await as(key).get('/organizations/usage')).body);
  });

  it('returns 404 for an unknown organization, as do all routes below it', async () => {
    for (const id of [randomUUID(), 'no-uuid']) {
      const path = `/admin/organizations/${id}`;
      const responses = [
        await admin.get(path),
        await admin.send('PATCH', path, { plan_tier: 'pro' }),
        await admin.put(path, {}),
        await admin.delete(path),
        await admin.delete(`${path}?hard_delete=true`),
        await admin.post(`${path}/api-keys`, { name: 'k' }),
        await admin.post(`${path}/reset-usage`),
      ];
      for (const response of responses) expect(problem(response)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
  });
});

describe('PATCH /admin/organizations/{id}', () => {
  it('changes every editable field and keeps omitted ones; PUT does the same', async () => {
    const { id, slug, key } = await create();
    const { settings } = (await admin.get(`/admin/organizations/${id}`)).body;
    const stripe = {
      stripe_customer_id: 'cus_1',
      stripe_subscription_id: 'sub_1',
      stripe_subscription_status: 'active',
      stripe_current_period_end: '2999-01-01T00:00:00.000Z',
      stripe_cancel_at_period_end: true,
    };
    const change = {
      name: 'Renamed',
      plan_tier: 'pro',
      billing_email: `${slug}@example.com`,
      custom_limits: { max_queues: 7 },
    };
    const expected = organizationOf({ id, slug, ...change, ...stripe, settings: { theme: 'dark', ...settings } });
    const { status, body } = await update(id, { ...change, ...stripe, settings: { theme: 'dark' } });
    expect([status, body]).toEqual([200, expected]);
    expect((await as(key).get(`/organizations/${id}`)).body).toEqual(expected);
    expect((await admin.put(`/admin/organizations/${id}`, { name: null })).body).toEqual(expected);
    expect((await update(id, { stripe_customer_id: null, custom_limits: null })).body).toEqual({
      ...expected,
      stripe_customer_id: null,
      custom_limits: null,
    });
    await update(id, { custom_limits: { max_queues: 1 } });
    expect((await update(id, { custom_limits: {} })).body.custom_limits).toBeNull();
  });

  it('applies limits at once, on every gateway', async () => {
    const { id, key } = await create();
    const jobs = Array.from({ length: 10 }, () => ({ payload: {} }));
    expect((await as(key, 1).post('/jobs/bulk', { queue_name: 'mail', jobs })).status).toBe(200);
    expect(problem(await post(as(key, 1)))).toMatchObject({ status: 429, code: 'QUOTA_EXCEEDED' });
    await update(id, { plan_tier: 'starter' });
    await eventually(async () => expect((await post(as(key, 1))).status).toBe(201), { timeoutMs: 3_000 });
    await update(id, { custom_limits: { max_active_jobs: 11 } });
    const refused = async () =>
      expect((await post(as(key, 1))).body).toMatchObject({ resource: 'active_jobs', limit: 11 });
    await eventually(refused, { timeoutMs: 3_000 });
    await update(id, { custom_limits: { max_active_jobs: null } });
    await eventually(async () => expect((await post(as(key, 1))).status).toBe(201), { timeoutMs: 3_000 });
  });

  it('applies rates at once: a raised bucket is full', async () => {
    const { id, key } = await create({ plan_tier: 'free' });
    const burst = () => Promise.all(Array.from({ length: 40 }, () => as(key, 1).get('/jobs')));
    const allowed = async () => (await burst()).filter(({ status }) => status === 200).length;
    expect(await allowed()).toBeLessThan(40);
    await update(id, { custom_limits: { rate_limit_burst: 1_000 } });
    await eventually(async () => expect((await as(key, 1).get('/jobs')).headers.get('x-ratelimit-limit')).toBe('1000'));
    expect(await allowed()).toBe(40);
  });

  it.each([
    ['an unknown plan', { plan_tier: 'gold' }, 'plan_tier'],
    ['a limit that is none', { custom_limits: { max_queues: 'many' } }, 'custom_limits.max_queues'],
    ['a time that is none', { stripe_current_period_end: 'soon' }, 'stripe_current_period_end'],
  ])('rejects %s', async (_, change, field) => {
    const response = await update(stack.organizationId, change);
    expect(problem(response)).toEqual({ status: 400, code: 'VALIDATION_ERROR', details: { [field]: text } });
  });
});

describe('DELETE /admin/organizations/{id}', () => {
  it('SP-72 soft delete: keeps the data, and rejects its keys at once, on every gateway', async () => {
    const { id, key } = await create();
    const { access_token } = (await as(key).post('/auth/login', { api_key: key })).body;
    for (const credential of [key, access_token]) expect((await post(as(credential, 1))).status).toBe(201);
    expect(await admin.delete(`/admin/organizations/${id}`)).toMatchObject({ status: 204, body: null });
    for (const credential of [key, access_token]) {
      expect(problem(await as(credential).get('/jobs'))).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
      const ended = async () => expect((await as(credential, 1).get('/jobs')).status).toBe(401);
      await eventually(ended, { timeoutMs: 3_000 });
    }
    expect((await admin.get(`/admin/organizations/${id}`)).body).toMatchObject({
      plan_tier: 'deleted',
      total_jobs: 2,
      api_keys_count: 0,
    });
    expect(problem(await admin.post(`/admin/organizations/${id}/api-keys`, { name: 'k' }))).toMatchObject({
      status: 409,
    });
    // After it is restored, it needs a new key.
    await update(id, { plan_tier: 'free' });
    expect((await as(key).get('/jobs')).status).toBe(401);
    const { key: fresh } = (await admin.post(`/admin/organizations/${id}/api-keys`, { name: 'k' })).body;
    expect((await as(fresh).get('/jobs')).body).toHaveLength(2);
  });

  it.each(['hard_delete', 'hard'])('permanently with ?%s=true, also while it is in use', async (flag) => {
    const { id, slug, key } = await create();
    await post(as(key));
    expect((await admin.delete(`/admin/organizations/${id}?${flag}=false`)).status).toBe(204);
    expect((await admin.delete(`/admin/organizations/${id}?${flag}=true`)).status).toBe(204);
    expect((await admin.get(`/admin/organizations/${id}`)).status).toBe(404);
    expect((await as(key).get('/jobs')).status).toBe(401);
    expect((await as(stack.apiKey).get(`/organizations/check-slug?slug=${slug}`)).body.available).toBe(true);
  });
});

describe('POST /admin/organizations/{id}/api-keys', () => {
  it('creates a key for all queues or some, also beyond the plan limit', async () => {
    const { id } = await create();
    const make = (body: object) => admin.post(`/admin/organizations/${id}/api-keys`, body);
    const { status, body } = await make({ name: 'rescue' });
    expect([status, body]).toEqual([
      201,
      {
        ...{ id: anId, key: expect.stringMatching(/^sk_/) as unknown, name: 'rescue', role: 'admin' },
        ...{ created_at: aTime, expires_at: null },
      },
    ]);
    const [summary] = (await as(body.key).get('/api-keys')).body;
    expect(summary).toMatchObject({ name: 'rescue', queues: ['*'] });
    const expires_at = '2999-01-01T00:00:00.000Z';
    const scoped = (await make({ name: 'third', queues: ['mail'], rate_limit: 100, expires_at })).body;
    expect(scoped.expires_at).toBe(expires_at);
    expect((await post(as(scoped.key), 'sms')).status).toBe(403);
    expect(problem(await make({}))).toMatchObject({ status: 422, details: { name: text } });
    expect(problem(await make({ name: 'k', queues: ['a b'] }))).toMatchObject({ status: 400 });
    expect(problem(await make({ name: 'k', permissions: [] }))).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
  });
});

describe('POST /admin/organizations/{id}/reset-usage', () => {
  it('resets the daily usage, so that the organization can create jobs again', async () => {
    const { id, key } = await create();
    await update(id, { custom_limits: { max_jobs_per_day: 2 } });
    await post(as(key));
    await post(as(key));
    expect((await post(as(key))).body).toMatchObject({ code: 'QUOTA_EXCEEDED', resource: 'jobs_per_day' });
    expect(await admin.post(`/admin/organizations/${id}/reset-usage`)).toMatchObject({ status: 204, body: null });
    expect((await as(key).get('/organizations/usage')).body.usage).toMatchObject({
      jobs_today: { current: 0 },
      active_jobs: { current: 2 },
    });
    expect((await post(as(key))).status).toBe(201);
  });
});
