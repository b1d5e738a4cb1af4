import { randomUUID } from 'node:crypto';
import { Controller, Get, type INestApplication } from '@nestjs/common';
import { lookupOf } from '@spooled/data-access';
import { type Role, roles } from '@spooled/domain';
import { eventually, useDatabase, useRedis, useSuperuser, useTenantForEach } from '@spooled/testing';
import { startGateway, useGatewayOn } from '../gateway.fixture.js';
import { accessOfMethods, declareAccess } from './route-access.js';

interface Operation {
  security: Record<string, unknown>[];
  'x-forwarded'?: true;
  'x-roles'?: Role[];
}

const adminKey = 'the administrator of these specs';

/** What each role may do, in words of its own: the decorators of the routes must agree. */
const ownCredential = /^(GET \/auth\/me|POST \/auth\/logout|POST \/console\/login-links)$/;
const administrators =
  /^\w+ \/(api-keys|billing\/|organizations\/.*webhook-token|organizations\/\{id\}\/members)|^(PUT|DELETE) \/organizations\/\{id\}$/;
const workers = [
  /^POST \/jobs(\/bulk|\/claim|\/complete\/bulk|\/\{id\}\/(complete|fail|heartbeat|release|progress|logs|steps|wait|signals|signal-urls))?$/,
  /^POST \/workers\/(register|\{id\}\/(heartbeat|deregister))$/,
  /^DELETE \/workers\/\{id\}$/,
  /^POST \/(workflows|batches|batches\/\{id\}\/(jobs|close))$/,
  /^GET \/(jobs|workflows|batches)(\/|$)/,
];
/** Sends something, and changes nothing. */
const reading = /^(GET |POST \/schedules\/preview$)/;

const expected: Record<Role, (route: string) => boolean> = {
  admin: () => true,
  operator: (route) => !administrators.test(route),
  worker: (route) => ownCredential.test(route) || workers.some((one) => one.test(route)),
  viewer: (route) => ownCredential.test(route) || (reading.test(route) && !administrators.test(route)),
};

const database = useDatabase();
const redis = useRedis();
const superuser = useSuperuser(database);
const gateway = useGatewayOn(database, { redis, env: { ADMIN_API_KEY: adminKey } });
const tenant = useTenantForEach(database);

const keyIdOf = async (key: string): Promise<string> =>
  (await superuser.query<{ id: string }>('SELECT id FROM api_keys WHERE key_lookup = $1', [lookupOf(key)])).rows[0]!.id;
const setRole = async (key: string, role: Role) =>
  gateway.request('PUT', `/api-keys/${await keyIdOf(key)}`, tenant.key, { role });

/** Every route of the gateway that accepts an API key, with its description. */
async function keyRoutes(): Promise<[string, Operation][]> {
  const { body } = await gateway.request('GET', '/openapi.json', null);
  return Object.entries(body.paths as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { security, ...operation }]) => !operation['x-forwarded'] && security.some((one) => 'bearer' in one))
      .map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
        operation,
      ]),
  );
}

/** Sends the request with a body that cannot be read, so that what is permitted has no effect. */
async function refusalOf(route: string, key: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const [method, path] = route.split(' ') as [string, string];
  const response = await gateway.app.inject({
    method: method as 'GET',
    url: `/api/v1${path.replaceAll(/\{\w+\}/g, randomUUID())}`,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(method !== 'GET' && { payload: '{"' }),
  });
  return { status: response.statusCode, body: response.body === '' ? {} : response.json() };
}

describe('BX-23 the role of an API key', () => {
  it.each(roles)('%s may use its routes and no others, as the API description says', async (role) => {
    const key = await tenant.keyAs(role);
    const routes = await keyRoutes();
    expect(routes.length).toBeGreaterThan(80);
    const differences: string[] = [];
    for (const [route, operation] of routes) {
      const may = expected[role](route);
      if (operation['x-roles']?.includes(role) !== may) differences.push(`${route} is described for ${role}: ${!may}`);
      const { status, body } = await refusalOf(route, key);
      const isRefused =
        status === 403 && body.role === role && (body.allowed_roles as Role[])?.includes(role) === false;
      if (isRefused === may || status >= 500)
        differences.push(`${route} as ${role}: ${status} ${JSON.stringify(body)}`);
    }
    expect(differences).toEqual([]);
  });

  it('that may administer may do so with a key for all queues only', () => {
    const open = [...accessOfMethods(gateway.app)].filter(
      ([, , { permission, access }]) => permission === 'administer' && access !== 'unscoped',
    );
    expect(open.map(([controller, method]) => `${controller.name}.${method}`)).toEqual([]);
  });

  it('is refused with an error that names it and the roles that may', async () => {
    const { status, body } = await gateway.request('POST', '/api-keys', await tenant.keyAs('operator'), {
      name: 'mine',
    });
    expect(status).toBe(403);
    expect(body).toEqual({
      code: 'ACCESS_DENIED',
      message: 'The role of this API key is operator; this needs admin',
      role: 'operator',
      allowed_roles: ['admin'],
    });
    expect((await gateway.request('GET', '/api-keys', tenant.key)).body).toHaveLength(2);
  });

  it('is admin unless another is given, and is shown wherever keys are', async () => {
    const create = async (body: object) => (await gateway.request('POST', '/api-keys', tenant.key, body)).body;
    expect(await create({ name: 'default' })).toMatchObject({ role: 'admin' });
    const viewer = await create({ name: 'reader', role: 'viewer' });
    expect(viewer).toMatchObject({ role: 'viewer' });
    expect((await gateway.request('GET', `/api-keys/${viewer.id}`, tenant.key)).body.role).toBe('viewer');
    const { body: list } = await gateway.request('GET', '/api-keys', tenant.key);
    expect(Object.fromEntries(list.map((one: { name: string; role: Role }) => [one.name, one.role]))).toEqual({
      spec: 'admin',
      default: 'admin',
      reader: 'viewer',
    });
    expect((await gateway.request('POST', '/api-keys', tenant.key, { name: 'x', role: 'owner' })).status).toBe(400);
    const { body } = await gateway.request('GET', '/audit', tenant.key);
    expect(body).toContainEqual(
      expect.objectContaining({ action: 'api_key.created', after: expect.objectContaining({ role: 'viewer' }) }),
    );
  });

  it('can be given by the administrator of the server', async () => {
    const response = await gateway.app.inject({
      method: 'POST',
      url: `/api/v1/admin/organizations/${tenant.organizationId}/api-keys`,
      headers: { 'x-admin-key': adminKey, 'content-type': 'application/json' },
      payload: JSON.stringify({ name: 'runner', role: 'worker' }),
    });
    expect(response.json()).toMatchObject({ role: 'worker' });
    expect((await gateway.request('GET', '/queues', response.json().key)).status).toBe(403);
    expect((await gateway.request('GET', '/jobs', response.json().key)).status).toBe(200);
  });

  it('is that of its access tokens too, as it is now', async () => {
    const key = await tenant.keyAs('operator');
    const { body: grant } = await gateway.request('POST', '/auth/login', null, { api_key: key });
    const token = grant.access_token as string;
    expect((await gateway.request('GET', '/auth/me', token)).body.role).toBe('operator');
    expect((await gateway.request('PUT', '/queues/mail/config', token, {})).status).toBe(200);
    await setRole(key, 'viewer');
    expect((await gateway.request('GET', '/auth/me', token)).body.role).toBe('viewer');
    expect((await gateway.request('PUT', '/queues/mail/config', token, {})).status).toBe(403);
  });

  it('takes effect in every gateway when it is changed', async () => {
    const key = await tenant.keyAs('admin');
    const other = await startGateway(database, { redisUrl: redis.url });
    try {
      expect((await other.request('GET', '/api-keys', key)).status).toBe(200);
      expect((await setRole(key, 'worker')).body.role).toBe('worker');
      expect((await gateway.request('GET', '/api-keys', key)).status).toBe(403);
      await eventually(async () => expect((await other.request('GET', '/api-keys', key)).status).toBe(403));
    } finally {
      await other.stop();
    }
  });

  it('takes effect also when it was changed without a notice, by hand', async () => {
    const key = await tenant.keyAs('admin');
    expect((await gateway.request('GET', '/api-keys', key)).status).toBe(200);
    await superuser.query("UPDATE api_keys SET role = 'viewer' WHERE key_lookup = $1", [lookupOf(key)]);
    await eventually(async () => expect((await gateway.request('GET', '/api-keys', key)).status).toBe(403));
  });

  it('ends claims that wait for jobs once it no longer permits them', async () => {
    const key = await tenant.keyAs('worker');
    const body = { queue_name: 'mail', worker_id: 'w', wait_seconds: 20 };
    const waiting = gateway.request('POST', '/jobs/claim', key, body);
    await setRole(key, 'viewer');
    expect(await waiting).toMatchObject({ status: 403, body: { role: 'viewer' } });
  });

  it('hides the secrets in the settings of the organization from all but administrators', async () => {
    const path = `/organizations/${tenant.organizationId}`;
    await gateway.request('PUT', path, tenant.key, {
      settings: { github_webhook_secret: 'hidden words', color: 'red' },
    });
    const settingsFor = async (role: Role) =>
      (await gateway.request('GET', path, await tenant.keyAs(role))).body.settings as object;
    expect(await settingsFor('admin')).toMatchObject({ github_webhook_secret: 'hidden words' });
    for (const role of ['operator', 'viewer'] as const) expect(await settingsFor(role)).toEqual({ color: 'red' });
  });
});

describe('BX-23 a route', () => {
  it('without a declared permission does not start', () => {
    @Controller('forgotten')
    class Forgotten {
      @Get()
      all(): void {}
    }
    const modules = new Map([['spec', { controllers: new Map([['one', { metatype: Forgotten }]]) }]]);
    const app = { get: () => modules } as unknown as INestApplication;
    expect(() => declareAccess(app)).toThrow('Forgotten.all');
  });
});
