import { randomInt } from 'node:crypto';
import { createTenant, useSuperuser, useTenantForEach } from '@spooled/testing';
import pg from 'pg';
import { type TestResponse, useGateway } from '../gateway.fixture.js';

const adminKey = 'an administrator key of these specs';

const { database, gateway } = useGateway({ ADMIN_API_KEY: adminKey, TRUSTED_PROXY_HOPS: '1' });
const superuser = useSuperuser(database);
const tenant = useTenantForEach(database);

/** Admin routes allow 60 requests per minute and address. */
const randomAddress = () => [10, randomInt(256), randomInt(256), randomInt(1, 256)].join('.');

async function send(method: string, path: string, body?: unknown, more: object = {}): Promise<TestResponse> {
  const response = await gateway.app.inject({
    method: method as 'GET',
    url: `/api/v1${path}`,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${tenant.key}`,
      'x-admin-key': adminKey,
      'user-agent': 'curl/8',
      'x-forwarded-for': randomAddress(),
      ...more,
    },
    payload: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: response.statusCode, headers: response.headers, body: response.body && response.json() };
}

const create = async (path: string, body: object): Promise<string> =>
  (await send('POST', path, body)).body.id as string;
const newKey = () => create('/api-keys', { name: 'k', queues: ['mail'] });
const newWebhook = () =>
  create('/outgoing-webhooks', {
    name: 'w',
    url: 'https://example.com/',
    events: ['job.failed'],
    secret: 'hidden words',
  });
const newSchedule = () =>
  create('/schedules', { name: 's', cron_expression: '0 0 1 1 *', queue_name: 'mail', payload_template: { a: 1 } });
async function newWorker(): Promise<string> {
  await create('/workers/register', { queue_name: 'mail', hostname: 'h', worker_id: 'drained' });
  return 'drained';
}
const own = () => Promise.resolve(tenant.organizationId);

async function die(): Promise<string> {
  const id = await create('/jobs', { queue_name: 'mail', payload: {}, max_retries: 0 });
  await send('POST', '/jobs/claim', { queue_name: 'mail', worker_id: 'w' });
  await send('POST', `/jobs/${id}/fail`, { worker_id: 'w', error: 'broken' });
  return id;
}
const newOperation = async () => create('/jobs/dlq/replays', {});

interface Act {
  /** Creates what the route needs and returns the value of its path parameter. */
  prepare?: () => Promise<string | void>;
  body?: object;
  /** The action that the log must show for it. */
  action: string;
}

/** Every route whose request the log records. */
const acts: Record<string, Act> = {
  'POST /api-keys': { body: { name: 'k' }, action: 'api_key.created' },
  'PUT /api-keys/{id}': { prepare: newKey, body: { name: 'renamed' }, action: 'api_key.updated' },
  'DELETE /api-keys/{id}': { prepare: newKey, action: 'api_key.updated' },
  'POST /outgoing-webhooks': {
    body: { name: 'w', url: 'https://example.com/', events: ['job.failed'] },
    action: 'webhook.created',
  },
  'PUT /outgoing-webhooks/{id}': { prepare: newWebhook, body: { name: 'renamed' }, action: 'webhook.updated' },
  'DELETE /outgoing-webhooks/{id}': { prepare: newWebhook, action: 'webhook.deleted' },
  'POST /schedules': {
    body: { name: 's', cron_expression: '0 0 1 1 *', queue_name: 'mail', payload_template: {} },
    action: 'schedule.created',
  },
  'PUT /schedules/{id}': { prepare: newSchedule, body: { name: 'renamed' }, action: 'schedule.updated' },
  'DELETE /schedules/{id}': { prepare: newSchedule, action: 'schedule.deleted' },
  'POST /schedules/{id}/pause': { prepare: newSchedule, body: {}, action: 'schedule.updated' },
  'POST /schedules/{id}/resume': {
    prepare: async () => {
      const id = await newSchedule();
      await send('POST', `/schedules/${id}/pause`, {});
      return id;
    },
    body: {},
    action: 'schedule.updated',
  },
  'PUT /queues/{name}/config': { prepare: async () => 'mail', body: { max_retries: 7 }, action: 'queue.created' },
  'PUT /queues/{name}': { prepare: async () => 'mail', body: { max_retries: 7 }, action: 'queue.created' },
  'POST /workers/{id}/drain': { prepare: newWorker, body: {}, action: 'worker.drained' },
  'POST /queues/{name}/pause': {
    prepare: async () => (await send('PUT', '/queues/mail/config', {}), 'mail'),
    body: {},
    action: 'queue.updated',
  },
  'POST /queues/{name}/resume': {
    prepare: async () => (await send('PUT', '/queues/mail/config', { enabled: false }), 'mail'),
    body: {},
    action: 'queue.updated',
  },
  'DELETE /queues/{name}': {
    prepare: async () => (await send('PUT', '/queues/mail/config', {}), 'mail'),
    action: 'queue.deleted',
  },
  'PUT /queues/{name}/payload-contract': {
    prepare: async () => 'mail',
    body: { schema: { type: 'object' } },
    action: 'payload_contract.created',
  },
  'DELETE /queues/{name}/payload-contract': {
    prepare: async () => (await send('PUT', '/queues/mail/payload-contract', { schema: {} }), 'mail'),
    action: 'payload_contract.deleted',
  },
  'POST /jobs/dlq/retry': { prepare: async () => void (await die()), body: {}, action: 'deadletter.retried' },
  'POST /jobs/dlq/purge': {
    prepare: async () => void (await die()),
    body: { confirm: true },
    action: 'deadletter.purged',
  },
  'POST /jobs/dlq/replays': { body: {}, action: 'operation.created' },
  'POST /jobs/dlq/purges': { body: { confirm: true }, action: 'operation.created' },
  'POST /jobs/cancellations': { body: { queue_name: 'mail' }, action: 'operation.created' },
  'POST /operations/{id}/cancel': { prepare: newOperation, body: {}, action: 'operation.updated' },
  'PUT /organizations/{id}': { prepare: own, body: { name: 'Renamed' }, action: 'organization.updated' },
  'DELETE /organizations/{id}': { prepare: own, action: 'organization.deleted' },
  'POST /organizations/webhook-token/regenerate': { body: {}, action: 'organization.updated' },
  'POST /organizations/webhook-token/clear': {
    prepare: async () => void (await send('POST', '/organizations/webhook-token/regenerate', {})),
    body: {},
    action: 'organization.updated',
  },
  'POST /organizations/{id}/webhook-token/regenerate': { prepare: own, body: {}, action: 'organization.updated' },
  'POST /organizations/{id}/webhook-token/clear': {
    prepare: async () => {
      await send('POST', '/organizations/webhook-token/regenerate', {});
      return tenant.organizationId;
    },
    body: {},
    action: 'organization.updated',
  },
  'POST /admin/organizations': { body: { name: 'Made' }, action: 'organization.created' },
  'PATCH /admin/organizations/{id}': { prepare: own, body: { plan_tier: 'pro' }, action: 'organization.updated' },
  'PUT /admin/organizations/{id}': { prepare: own, body: { plan_tier: 'pro' }, action: 'organization.updated' },
  'DELETE /admin/organizations/{id}': { prepare: own, action: 'organization.updated' },
  'POST /admin/organizations/{id}/api-keys': { prepare: own, body: { name: 'k' }, action: 'api_key.created' },
  'POST /admin/organizations/{id}/reset-usage': { prepare: own, body: {}, action: 'organization.usage_reset' },
  'POST /organizations': { body: { name: 'Made' }, action: 'organization.created' },
};

/** Routes of everyday work, which the history of each job, the runs of schedules and the deliveries show. */
const ordinary = [
  /^\w+ \/jobs(\/bulk|\/claim|\/\{id\}.*|\/complete\/bulk)?$/,
  /^\w+ \/workers\/(register|\{id\}$|\{id\}\/(heartbeat|deregister)$)/,
  /^\w+ \/workflows/,
  /^POST \/schedules\/(preview|\{id\}\/trigger)$/,
  /^POST \/outgoing-webhooks\/(\{id\}\/test|\{id\}\/(deliveries|retry)|.*\/retry)/,
  /^POST \/auth\//,
  /^(POST|DELETE) \/console\//,
  /^POST \/organizations\/generate-slug$/,
  /^POST \/webhooks\//,
  /^POST \/billing\/portal$/,
];

async function mutatingRoutes(): Promise<string[]> {
  const { body } = await send('GET', '/openapi.json');
  return Object.entries(body.paths as Record<string, object>).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => ['post', 'put', 'patch', 'delete'].includes(method))
      .map((method) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`),
  );
}

/** The newest entries, of all organizations. */
async function newest(): Promise<Record<string, unknown>[]> {
  return (await send('GET', '/admin/audit?limit=20')).body as Record<string, unknown>[];
}

describe('the audit log', () => {
  it('BX-21 records every route that changes something, except everyday work', async () => {
    const routes = await mutatingRoutes();
    expect(routes.filter((route) => !(route in acts) && !ordinary.some((one) => one.test(route)))).toEqual([]);
    expect(Object.keys(acts).filter((route) => !routes.includes(route))).toEqual([]);
  });

  it.each(Object.entries(acts))(
    'BX-21 records %s with its actor and origin',
    async (route, { prepare, body, action }) => {
      const [method, path] = route.split(' ') as [string, string];
      const id = (await prepare?.()) ?? '';
      const before = (await newest())[0]?.id;
      const address = randomAddress();
      const unique = route.includes('POST') && path.endsWith('organizations') ? { slug: `made-${Date.now()}` } : {};
      const { status } = await send(method, path.replace(/\{\w+\}/, id), body && { ...body, ...unique }, {
        'x-forwarded-for': address,
      });
      expect(status).toBeLessThan(300);
      const all = await newest();
      const fresh = all.slice(
        0,
        all.findIndex((entry) => entry.id === before),
      );
      const isAdmin = path.startsWith('/admin') || route === 'POST /organizations';
      expect(fresh).toContainEqual(
        expect.objectContaining({
          action,
          actor:
            isAdmin && route !== 'POST /organizations' ? { kind: 'admin', id: null, name: null } : expect.anything(),
          address,
          user_agent: 'curl/8',
        }),
      );
    },
  );

  it('BX-21 shows what was changed before and after, without secrets', async () => {
    await newWebhook();
    await send('PUT', '/queues/mail/config', {
      max_retries: 3,
      settings: { a: { deep: { api_token: 'hidden words' } } },
    });
    await send('PUT', '/queues/mail/config', { max_retries: 5, settings: { b: 2 } });
    await send('PUT', '/queues/mail/config', { max_retries: 5 });
    await send('POST', '/organizations/webhook-token/regenerate', {});
    const { body } = await send('GET', '/audit');
    expect(JSON.stringify(body)).not.toContain('hidden words');
    expect(body.map(({ action, before, after }: Record<string, unknown>) => ({ action, before, after }))).toEqual([
      { action: 'organization.updated', before: { settings: {} }, after: { settings: { webhook_token: '[secret]' } } },
      {
        action: 'queue.updated',
        before: { max_retries: 3, settings: {} },
        after: { max_retries: 5, settings: { b: 2 } },
      },
      {
        action: 'queue.created',
        before: null,
        after: expect.objectContaining({ max_retries: 3, settings: { a: { deep: { api_token: '[secret]' } } } }),
      },
      { action: 'webhook.created', before: null, after: expect.objectContaining({ secret: '[secret]', name: 'w' }) },
      expect.objectContaining({ action: 'api_key.created' }),
      expect.objectContaining({ action: 'organization.created' }),
    ]);
  });

  it('BX-21 shows of a URL only its host, and whether the rest changed', async () => {
    const webhook = { name: 'w', url: 'https://user:words@hooks.example.com/T1/B2?x=hidden#a', events: ['job.failed'] };
    const id = await create('/outgoing-webhooks', { ...webhook, url: 'https://hooks.example.com/T1/hidden' });
    await send('PUT', `/outgoing-webhooks/${id}`, { url: 'https://hooks.example.com/T1/other' });
    const { body } = await send('GET', '/audit?target_kind=webhook');
    const urls = [body[1].after.url, body[0].before.url, body[0].after.url];
    for (const url of urls) expect(url).toMatch(/^https:\/\/hooks\.example\.com\/\[[0-9a-f]{8}\]$/);
    expect([urls[0] === urls[1], urls[1] === urls[2]]).toEqual([true, false]);
    const { rows } = await superuser.query<{ url: string }>('SELECT without_secrets_v1(to_jsonb($1::text)) AS url', [
      webhook.url,
    ]);
    expect(rows[0]!.url).toMatch(/^https:\/\/hooks\.example\.com\/\[/);
  });

  it('BX-21 is filtered by action, actor, target and time, and shows an organization its own entries only', async () => {
    await newKey();
    const queue = await send('PUT', '/queues/mail/config', {});
    expect(queue.status).toBe(200);
    const list = async (query: string) =>
      (await send('GET', `/audit?${query}`)).body as { target_id: string; actor: { id: string } }[];
    const [mail] = await list('target_kind=queue&target_id=mail');
    expect(mail).toMatchObject({ action: 'queue.created', actor: { kind: 'key', name: 'spec' } });
    expect(await list(`actor_kind=key&actor_id=${mail!.actor.id}`)).toHaveLength(2);
    expect(await list('action=queue.created')).toEqual([mail]);
    expect(await list('until=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await list('since=2020-01-01T00:00:00Z')).toHaveLength(4);
    const other = await createTenant(database.superuserUrl);
    const own = await gateway.request('GET', '/audit', other.key);
    expect(own.body.map((entry: { organization_id: string }) => entry.organization_id)).toEqual([
      other.organizationId,
      other.organizationId,
    ]);
    const scoped = await tenant.keyFor('mail');
    expect((await gateway.request('GET', '/audit', scoped)).status).toBe(403);
    const all = (await send('GET', `/admin/audit?organization_id=${tenant.organizationId}&action=queue.created`)).body;
    expect(all).toEqual([mail]);
  });

  it('BX-21 can be written and read by requests, but neither changed nor deleted', async () => {
    await newKey();
    const client = new pg.Client({ connectionString: database.appUrl });
    await client.connect();
    await client.query(`SET ROLE spooled_app`);
    await client.query(`SELECT set_config('app.current_org_id', $1, false)`, [tenant.organizationId]);
    for (const statement of ['UPDATE audit_log SET action = NULL', 'DELETE FROM audit_log', 'TRUNCATE audit_log'])
      await expect(client.query(statement)).rejects.toThrow('permission denied');
    const { rows } = await client.query<{ rows: string }>('SELECT count(*) AS rows FROM audit_log');
    expect(Number(rows[0]!.rows)).toBe(3);
    await client.end();
  });

  it('BX-21 does not record what was rolled back', async () => {
    const before = (await newest())[0]?.id;
    expect((await send('PUT', '/queues/mail/config', { settings: { text: 'x'.repeat(70_000) } })).status).toBe(400);
    expect((await newest())[0]?.id).toBe(before);
  });
});
