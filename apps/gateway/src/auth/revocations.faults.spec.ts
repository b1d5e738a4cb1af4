import { lookupOf } from '@spooled/data-access';
import {
  createTenant,
  eventually,
  startRedis,
  type TestRedis,
  useDatabase,
  useSuperuser,
  useTenantForEach,
} from '@spooled/testing';
import type { RedisShards } from '@spooled/transport';
import { startGateway, type TestGateway } from '../gateway.fixture.js';
import { REDIS } from '@spooled/service';

const database = useDatabase();
const superuser = useSuperuser(database);
let redis: TestRedis;
const tenant = useTenantForEach(database);
const gateways: TestGateway[] = [];

beforeEach(async () => void (redis = await startRedis({ persistent: true })));
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.stop();
  await redis.close();
});

const shardsOf = ({ app }: TestGateway) => app.get<RedisShards>(REDIS);

async function start({ withRedis = true } = {}): Promise<TestGateway> {
  const gateway = await startGateway(database, withRedis ? { redisUrl: redis.url } : {});
  gateways.push(gateway);
  return gateway;
}

async function stop(gateway: TestGateway): Promise<void> {
  gateways.splice(gateways.indexOf(gateway), 1);
  await gateway.stop();
}

const statusOf = async (gateway: TestGateway, key: string) => (await gateway.request('GET', '/queues', key)).status;

const cachedInRedis = (gateway: TestGateway, key: string) =>
  shardsOf(gateway).all[0]!.commands.get(`api_key:${lookupOf(key)}`);

/** Uses the keys at each gateway and waits until Redis has them, too. */
async function cacheEverywhere(keys: string[], all: TestGateway[]): Promise<void> {
  for (const key of keys) {
    for (const gateway of all) expect(await statusOf(gateway, key)).toBe(200);
    await eventually(async () => expect(await cachedInRedis(all[0]!, key)).toBeTruthy());
  }
}

const untilStatus = (gateway: TestGateway, key: string, status: number) =>
  eventually(async () => expect(await statusOf(gateway, key)).toBe(status));

async function idOf(key: string): Promise<string> {
  const sql = 'SELECT id FROM api_keys WHERE key_lookup = $1';
  return (await superuser.query<{ id: string }>(sql, [lookupOf(key)])).rows[0]!.id;
}

/** The state after a gateway was killed between its commit and its notice. */
const changeSilently = (set: string, key: string) =>
  superuser.query(`UPDATE api_keys SET ${set} WHERE key_lookup = $1`, [lookupOf(key)]);

interface Tokens {
  access_token: string;
  refresh_token: string;
}
async function login(gateway: TestGateway): Promise<Tokens> {
  const response = await gateway.request('POST', '/auth/login', null, { api_key: tenant.key });
  expect(response.status).toBe(200);
  return response.body as Tokens;
}
const refresh = async (gateway: TestGateway, { refresh_token }: Tokens) =>
  (await gateway.request('POST', '/auth/refresh', null, { refresh_token })).status;

/** Revokes a key and ends a session at the first gateway. @returns both credentials, which it refuses at once */
async function endBoth(
  one: TestGateway,
  two: TestGateway,
  beforeEnd?: (key: string) => Promise<void>,
): Promise<string[]> {
  const key = await tenant.keyFor();
  const id = await idOf(key);
  const { access_token: token, ...tokens } = await login(one);
  const credentials = [key, token];
  for (const gateway of [one, two])
    for (const credential of credentials) expect(await statusOf(gateway, credential)).toBe(200);
  await beforeEnd?.(key);
  expect((await one.request('DELETE', `/api-keys/${id}`, tenant.key)).status).toBe(204);
  expect((await one.request('POST', '/auth/logout', token)).status).toBe(204);
  for (const credential of credentials) {
    expect(await statusOf(one, credential)).toBe(401);
    await untilStatus(two, credential, 401);
  }
  expect(await refresh(two, { access_token: token, ...tokens })).toBe(401);
  return credentials;
}

describe('a revoked key and an ended session', () => {
  it('SP-72 SP-75 stay so when Redis was down, the gateway restarts, and Redis returns with its data', async () => {
    const [one, two] = [await start(), await start()];
    const credentials = await endBoth(one, two, async (key) => {
      await cacheEverywhere([key], [one, two]);
      await redis.kill();
    });
    await stop(one);
    await redis.start();
    const third = await start();
    expect(await cachedInRedis(third, credentials[0]!)).toBeTruthy();
    for (let i = 0; i < 10; i++)
      for (const credential of credentials) expect(await statusOf(third, credential)).toBe(401);
    for (const credential of credentials) expect(await statusOf(two, credential)).toBe(401);
  });

  it('SP-72 SP-75 are so at every gateway without Redis', async () => {
    await endBoth(await start({ withRedis: false }), await start({ withRedis: false }));
  });

  it('SP-75 stay so when Redis loses its data and the gateway restarts', async () => {
    const first = await start();
    const [ended, other] = [await login(first), await login(first)];
    expect((await first.request('POST', '/auth/logout', ended.access_token)).status).toBe(204);
    await stop(first);
    const connection = (await redis.primaryOf(tenant.organizationId)).connect();
    await connection.flushall();
    connection.disconnect();
    await redis.kill();
    await redis.start();

    const second = await start();
    expect(await statusOf(second, ended.access_token)).toBe(401);
    expect(await refresh(second, ended)).toBe(401);
    expect(await statusOf(second, other.access_token)).toBe(200);
    expect(await refresh(second, other)).toBe(200);
  });
});

it('SP-72 changes without a notice take effect at every gateway, also at one that starts later with cached data in Redis', async () => {
  const [revoked, deleted, expired, narrowed] = [
    await tenant.keyFor(),
    await tenant.keyFor(),
    await tenant.keyFor(),
    await tenant.keyFor(),
  ];
  const removed = await createTenant(database.superuserUrl);
  const both = [await start(), await start()];
  const seenBy = async (gateway: TestGateway) => {
    const claim = { queue_name: 'other', worker_id: 'w' };
    const usage = (await gateway.request('GET', '/organizations/usage', tenant.key)).body as {
      limits: { max_api_keys: number };
    };
    return {
      revoked: await statusOf(gateway, revoked),
      deleted: await statusOf(gateway, deleted),
      expired: await statusOf(gateway, expired),
      narrowed: (await gateway.request('POST', '/jobs/claim', narrowed, claim)).status,
      removed: await statusOf(gateway, removed.key),
      isLimited: usage.limits.max_api_keys === 1,
    };
  };
  const before = { revoked: 200, deleted: 200, expired: 200, narrowed: 200, removed: 200, isLimited: false };
  const after = { revoked: 401, deleted: 401, expired: 401, narrowed: 403, removed: 401, isLimited: true };

  await cacheEverywhere([revoked, deleted, expired, narrowed, removed.key, tenant.key], both);
  for (const gateway of both) expect(await seenBy(gateway)).toEqual(before);
  await changeSilently('is_active = false', revoked);
  await changeSilently(`expires_at = now() - interval '1 second'`, expired);
  await changeSilently(`queues = '{mail}'`, narrowed);
  await superuser.query('DELETE FROM api_keys WHERE key_lookup = $1', [lookupOf(deleted)]);
  await superuser.query('DELETE FROM organizations WHERE id = $1', [removed.organizationId]);
  const limits = `UPDATE organizations SET custom_limits = custom_limits || '{"max_api_keys": 1}' WHERE id = $1`;
  await superuser.query(limits, [tenant.organizationId]);
  for (const gateway of both) await eventually(async () => expect(await seenBy(gateway)).toEqual(after));
  const third = await start();
  for (const gateway of [third, third, third, ...both]) expect(await seenBy(gateway)).toEqual(after);

  await changeSilently('expires_at = NULL', expired);
  for (const gateway of [...both, third]) await untilStatus(gateway, expired, 200);
});
