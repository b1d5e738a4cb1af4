import { createTenant, eventually, useDatabase, useRedis, useSuperuser } from '@spooled/testing';
import { type TestGateway, useGateways } from '../gateway.fixture.js';

const database = useDatabase();
const superuser = useSuperuser(database);
const open = useGateways(database, useRedis());
let gateway: TestGateway;
let other: TestGateway;

beforeAll(async () => void ([gateway, other] = await Promise.all([open(), open()])));

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
const unknownId = '01890000-0000-7000-8000-000000000000';

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

  it('SP-70 cannot be changed so that nobody could manage them', async () => {
    const { key } = await createTenant(database.superuserUrl);
    const [own] = (await gateway.request('GET', '/api-keys', key)).body;
    const create = async (more: object) =>
      (await gateway.request('POST', '/api-keys', key, { name: 'other', ...more })).body.id as string;
    await create({ role: 'operator' });
    await create({ queues: ['mail'] });
    const expired = await create({ expires_at: '2999-01-01T00:00:00Z' });
    await superuser.query(`UPDATE api_keys SET expires_at = '2001-01-01' WHERE id = $1`, [expired]);
    const ways = [
      ['DELETE'],
      ['PUT', { role: 'viewer' }],
      ['PUT', { is_active: false }],
      ['PUT', { queues: ['mail'] }],
    ] as const;
    for (const [method, body] of ways) {
      const refused = await gateway.request(method, `/api-keys/${own.id}`, key, body);
      expect(refused).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('create another one first') },
      });
    }
    const path = `/api-keys/${own.id}`;
    expect((await gateway.request('PUT', path, key, { name: 'mine', queues: ['*'] })).status).toBe(200);
    const { body: next } = await gateway.request('POST', '/api-keys', key, { name: 'next' });
    const both = await Promise.all([
      gateway.request('DELETE', path, key),
      gateway.request('DELETE', `/api-keys/${next.id}`, next.key),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  it('SP-70 their text is in no table', async () => {
    const registration = { name: 'A Tenant', slug: 'a-tenant' };
    const { organization, api_key } = (await gateway.request('POST', '/organizations', null, registration)).body;
    const second = await gateway.request('POST', '/api-keys', api_key.key, { name: 'second' });
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
  });
});
