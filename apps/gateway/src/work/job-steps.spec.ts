import { readSettings } from '@spooled/platform';
import { AccessTokens } from '@spooled/service';
import { createTenant, useForAll, useTenantForEach } from '@spooled/testing';
import { randomUUID } from 'node:crypto';
import { gatewaySettings } from '../gateway.config.js';
import { startGateway, useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenantForEach(database);

describe('BX-18 steps over REST', () => {
  let id: string;
  let proof: object;
  beforeEach(async () => {
    await ask('POST', '/jobs', { queue_name: 'orders', payload: {} });
    const { body } = await ask('POST', '/jobs/claim', { queue_name: 'orders', worker_id: 'w' });
    ({ id } = body.jobs[0]);
    proof = { worker_id: 'w', lease_id: body.jobs[0].lease_id };
  });
  const ask = (method: 'GET' | 'POST', path: string, body?: object, key = tenant.key) =>
    gateway.request(method, path, key, body);

  it.each([
    ['steps', { step: 'charge', resutl: 1 }, 'resutl'],
    ['wait', { step: 'later', wait_for: 'sleep', wait_ms: 1000, waitMs: 1 }, 'waitMs'],
    ['signals', { step: 'approval', paylod: true }, 'paylod'],
  ])('%s refuse a misspelt member: what counts first cannot be corrected', async (route, body, member) => {
    const refused = await ask('POST', `/jobs/${id}/${route}`, { ...(route !== 'signals' && proof), ...body });
    expect(refused).toMatchObject({ status: 400, body: { details: { [member]: expect.any(String) } } });
    expect((await ask('GET', `/jobs/${id}/steps`)).body).toEqual({ steps: [] });
  });
});

describe('BX-18 signal URLs', () => {
  let id: string;
  beforeEach(async () => {
    ({ id } = (await ask('POST', '/jobs', { queue_name: 'orders', payload: {} })).body);
    const { body } = await ask('POST', '/jobs/claim', { queue_name: 'orders', worker_id: 'w' });
    const proof = { worker_id: 'w', lease_id: body.jobs[0].lease_id };
    await ask('POST', `/jobs/${id}/wait`, { ...proof, step: 'approval', wait_for: 'signal', wait_ms: 60_000 });
  });
  const ask = (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
    key: string | null = tenant.key,
  ) => gateway.request(method, path, key, body);
  const urlOf = (key = tenant.key, body: object = {}) =>
    ask('POST', `/jobs/${id}/signal-urls`, { step: 'approval', ...body }, key);
  const pathOf = async (key?: string) => (await urlOf(key)).body.url.replace('/api/v1', '') as string;
  const give = (path: string, payload: object = {}, key: string | null = null) => ask('POST', path, payload, key);
  const keyIdOf = async (key: string) => {
    const { body } = await ask('POST', '/auth/login', { api_key: key }, null);
    return (await gateway.app.get(AccessTokens).read(body.access_token)).api_key_id;
  };
  const signed = async (of: { org_id: string; api_key_id: string }, seconds = 60) => {
    const claims = { ...of, job_id: id, step: 'approval', made_at: '2026-01-01T00:00:00Z' };
    return `/signals?token=${(await gateway.app.get(AccessTokens).issueSignal(claims, seconds)).token}`;
  };
  const result = async () => (await ask('GET', `/jobs/${id}/steps`)).body.steps[0].result;

  it('give the signal once, with the whole body as its payload and no other credential', async () => {
    const path = await pathOf();
    const payload = { step: 'another', approved: true };
    expect((await give(path, payload)).body).toEqual({ accepted: true, resumed: true });
    expect((await give(path, { approved: false })).body).toEqual({ accepted: false, resumed: false });
    expect(await result()).toEqual(payload);
    const { body } = await ask('GET', `/jobs/${id}/history`);
    const { details } = body.find(({ event_type }: { event_type: string }) => event_type === 'resumed');
    expect(details.actor).toMatchObject({ kind: 'key', id: await keyIdOf(tenant.key) });
  });

  it('need no body: the payload is then null, as it is of a null', async () => {
    expect((await ask('POST', await pathOf(), undefined, null)).body).toEqual({ accepted: true, resumed: true });
    expect(await result()).toBeNull();
  });

  it('take POST only: programs that preview links read them', async () => {
    const path = await pathOf();
    expect((await ask('GET', path, undefined, null)).status).toBe(405);
    expect(await result()).toBeNull();
  });

  it('are made for jobs that the key can see, by roles that may work', async () => {
    expect(await urlOf(await tenant.keyFor('others'))).toMatchObject({ status: 404 });
    expect(await urlOf(await tenant.keyAs('viewer'))).toMatchObject({ status: 403 });
    expect(await urlOf(tenant.key, { expires_in_secs: 366 * 86_400 + 1 })).toMatchObject({ status: 400 });
    expect(await urlOf(tenant.key, { expires_in: 60 })).toMatchObject({ status: 400 });
  });

  it('end with their time, with the key that made them and with its right to work', async () => {
    const expired = await signed({ org_id: tenant.organizationId, api_key_id: await keyIdOf(tenant.key) }, -10);
    expect((await give(expired)).body.message).toBe('The token has expired');

    const key = await tenant.keyAs('worker');
    const path = await pathOf(key);
    await ask('PUT', `/api-keys/${await keyIdOf(key)}`, { role: 'viewer' });
    expect(await give(path)).toMatchObject({ status: 403 });
    await ask('PUT', `/api-keys/${await keyIdOf(key)}`, { role: 'worker', queues: ['others'] });
    expect(await give(path)).toMatchObject({ status: 404 });
    await ask('DELETE', `/api-keys/${await keyIdOf(key)}`);
    expect(await give(path)).toMatchObject({ status: 401 });
    expect(await result()).toBeNull();
  });

  it('are no other credential, and no other credential is one', async () => {
    const token = (await pathOf()).split('token=')[1]!;
    expect(await ask('GET', '/jobs', undefined, token)).toMatchObject({ status: 401 });
    const { body } = await ask('POST', '/auth/login', { api_key: tenant.key }, null);
    for (const other of [tenant.key, body.access_token, `${token}x`]) {
      expect(await give(`/signals?token=${other}`)).toMatchObject({ status: 401 });
    }
    expect((await ask('POST', '/signals', {})).body.message).toContain('?token=');
    expect(await result()).toBeNull();
  });

  it('refuse a payload over 32 KB, and every payload once the job has ended', async () => {
    const path = await pathOf();
    expect(await give(path, { text: 'x'.repeat(32 * 1024) })).toMatchObject({ status: 400 });
    await ask('DELETE', `/jobs/${id}`);
    expect(await give(path)).toMatchObject({ status: 409 });
  });

  it('belong to a run: one that was used gives no signal to the next run of a completed job', async () => {
    const { body } = await ask('POST', '/workflows', {
      name: 'release',
      jobs: [{ key: 'deploy', queue_name: 'deploys', payload: {} }],
    });
    id = body.job_ids[0].job_id;
    const path = await pathOf();
    expect(await give(path, { run: 1 })).toMatchObject({ status: 200 });
    const claimed = await ask('POST', '/jobs/claim', { queue_name: 'deploys', worker_id: 'w' });
    await ask('POST', `/jobs/${id}/complete`, { worker_id: 'w', lease_id: claimed.body.jobs[0].lease_id });
    await ask('POST', `/workflows/${body.workflow_id}/retry`, { from_job: 'deploy' });
    expect(await give(path, { run: 2 })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('run') },
    });
    expect((await give(await pathOf(), { run: 2 })).body).toEqual({ accepted: true, resumed: false });
    expect(await result()).toEqual({ run: 2 });
  });

  it('leave most of the rate to the key that made them, however often they are used', async () => {
    const { body } = await ask('POST', '/api-keys', { name: 'limited', rate_limit: 100 });
    const path = await pathOf(body.key);
    const statuses = new Set<number>();
    for (let i = 0; i < 100; i++) statuses.add((await give(path)).status);
    expect([...statuses]).toEqual([200, 429]);
    expect(await ask('GET', '/jobs', undefined, body.key)).toMatchObject({ status: 200 });
  });

  it('cannot name a job of another organization, though its key signed them', async () => {
    const other = await createTenant(database.superuserUrl);
    const path = await signed({ org_id: other.organizationId, api_key_id: await keyIdOf(other.key) });
    expect(await give(path)).toMatchObject({ status: 404 });
  });

  it('and sessions are of the organization of their key, whatever they say', async () => {
    const other = await createTenant(database.superuserUrl);
    const [organizationId, apiKeyId] = [tenant.organizationId, await keyIdOf(other.key)];
    expect(await give(await signed({ org_id: organizationId, api_key_id: apiKeyId }))).toMatchObject({ status: 401 });
    const subject = { organizationId, apiKeyId, queues: null, sessionId: randomUUID() };
    const token = await gateway.app.get(AccessTokens).issue('access', subject, 60);
    expect(await ask('GET', '/jobs', undefined, token)).toMatchObject({ status: 401 });
    expect(await result()).toBeNull();
  });
});

describe('PUBLIC_URL', () => {
  const publicUrl = 'https://spooled.example.com/queue/';
  const own = useForAll(
    () => startGateway(database, { env: { PUBLIC_URL: publicUrl } }),
    ({ stop }) => stop(),
  );

  it.each([
    'https://user@example.com',
    'https://:secret@example.com',
    'https://example.com/?a',
    'https://example.com/#a',
  ])('is no address with more than a path: %s', (text) => {
    const settings = { DATABASE_URL: 'postgres://spooled_app@127.0.0.1/none', PUBLIC_URL: text };
    expect(() => readSettings(gatewaySettings, settings)).toThrow(/PUBLIC_URL: must have no user, password, query/);
  });

  it('begins signal URLs', async () => {
    const { body } = await own.request('POST', '/jobs', tenant.key, { queue_name: 'orders', payload: {} });
    const made = await own.request('POST', `/jobs/${body.id}/signal-urls`, tenant.key, { step: 'approval' });
    expect(made.body.url).toMatch(/^https:\/\/spooled\.example\.com\/queue\/api\/v1\/signals\?token=eyJ/);
  });
});
