import { lookupOf } from '@spooled/data-access';
import { eventually, startRedis, type TestRedis, useDatabase, useSuperuser, useTenantForEach } from '@spooled/testing';
import type { RedisShards } from '@spooled/transport';
import { startGateway, type TestGateway } from '../gateway.fixture.js';
import { REDIS } from '@spooled/service';

const adminKey = 'admin key of this spec';

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
  const gateway = await startGateway(database, {
    ...(withRedis && { redisUrl: redis.url }),
    env: { ADMIN_API_KEY: adminKey },
  });
  gateways.push(gateway);
  return gateway;
}

async function stop(gateway: TestGateway): Promise<void> {
  gateways.splice(gateways.indexOf(gateway), 1);
  await gateway.stop();
}

const statusOf = async (gateway: TestGateway, key: string) => (await gateway.request('GET', '/queues', key)).status;

/** Uses the key at each gateway and waits until Redis has it, too. */
async function cacheEverywhere(key: string, ...all: TestGateway[]): Promise<void> {
  for (const gateway of all) expect(await statusOf(gateway, key)).toBe(200);
  await eventually(async () =>
    expect(await shardsOf(all[0]!).all[0]!.commands.get(`api_key:${lookupOf(key)}`)).toBeTruthy(),
  );
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

describe('SP-72 a revoked key stays revoked', () => {
  it('when Redis was down, the gateway restarts, and Redis returns with its data', async () => {
    const key = await tenant.keyFor();
    const id = await idOf(key);
    const first = await start();
    await cacheEverywhere(key, first);
    await redis.kill();
    expect((await first.request('DELETE', `/api-keys/${id}`, tenant.key)).status).toBe(204);
    expect(await statusOf(first, key)).toBe(401);
    await stop(first);
    await redis.start();

    const second = await start();
    expect(await shardsOf(second).all[0]!.commands.get(`api_key:${lookupOf(key)}`)).toContain(id);
    for (let i = 0; i < 10; i++) expect(await statusOf(second, key)).toBe(401);
  });

  it('at every gateway, when the revoking gateway is killed before its notice', async () => {
    const key = await tenant.keyFor();
    const [one, two] = [await start(), await start()];
    await cacheEverywhere(key, one, two);
    await changeSilently('is_active = false', key);
    await Promise.all([one, two].map((gateway) => untilStatus(gateway, key, 401)));
    const third = await start();
    for (let i = 0; i < 10; i++) expect(await statusOf(third, key)).toBe(401);
    for (const gateway of [one, two]) expect(await statusOf(gateway, key)).toBe(401);
  });

  it('at gateways without Redis, which read the change from the database', async () => {
    const key = await tenant.keyFor();
    const id = await idOf(key);
    const [one, two] = [await start({ withRedis: false }), await start({ withRedis: false })];
    for (const gateway of [one, two]) expect(await statusOf(gateway, key)).toBe(200);
    expect((await one.request('DELETE', `/api-keys/${id}`, tenant.key)).status).toBe(204);
    expect(await statusOf(one, key)).toBe(401);
    await untilStatus(two, key, 401);
  });

  it('when the row is deleted', async () => {
    const key = await tenant.keyFor();
    const [one, two] = [await start(), await start()];
    await cacheEverywhere(key, one, two);
    await superuser.query('DELETE FROM api_keys WHERE key_lookup = $1', [lookupOf(key)]);
    await Promise.all([one, two].map((gateway) => untilStatus(gateway, key, 401)));
    expect(await statusOf(await start(), key)).toBe(401);
  });
});

describe('a change without a notice still takes effect:', () => {
  it('a narrower scope, also after a restart with cached data in Redis', async () => {
    const key = await tenant.keyFor();
    const [one, two] = [await start(), await start()];
    await cacheEverywhere(key, one, two);
    const claim = async (gateway: TestGateway) => {
      const body = { queue_name: 'other', worker_id: 'w' };
      return (await gateway.request('POST', '/jobs/claim', key, body)).status;
    };
    for (const gateway of [one, two]) expect(await claim(gateway)).toBe(200);
    await changeSilently(`queues = '{mail}'`, key);
    for (const gateway of [one, two]) await eventually(async () => expect(await claim(gateway)).toBe(403));
    expect(await claim(await start())).toBe(403);
  });

  it('an expiry, and a key that is valid again', async () => {
    const key = await tenant.keyFor();
    const [one, two] = [await start(), await start()];
    await cacheEverywhere(key, one, two);
    await changeSilently(`expires_at = now() - interval '1 second'`, key);
    await Promise.all([one, two].map((gateway) => untilStatus(gateway, key, 401)));
    await changeSilently('expires_at = NULL', key);
    await Promise.all([one, two].map((gateway) => untilStatus(gateway, key, 200)));
  });

  it('a changed plan, and the deletion of an organization', async () => {
    const [one, two] = [await start(), await start()];
    await cacheEverywhere(tenant.key, one, two);
    await superuser.query(`UPDATE organizations SET custom_limits = '{"max_api_keys": 1}' WHERE id = $1`, [
      tenant.organizationId,
    ]);
    for (const gateway of [one, two]) {
      const limit = async () => {
        const response = await gateway.request('GET', '/organizations/usage', tenant.key);
        return (response.body as { limits: { max_api_keys: number } }).limits.max_api_keys;
      };
      await eventually(async () => expect(await limit()).toBe(1));
    }
    await superuser.query('DELETE FROM organizations WHERE id = $1', [tenant.organizationId]);
    await Promise.all([one, two].map((gateway) => untilStatus(gateway, tenant.key, 401)));
    expect(await statusOf(await start(), tenant.key)).toBe(401);
  });
});

describe('SP-75 a session stays ended after logout', () => {
  interface Tokens {
    access_token: string;
    refresh_token: string;
  }
  const login = async (gateway: TestGateway) => {
    const response = await gateway.request('POST', '/auth/login', null, { api_key: tenant.key });
    expect(response.status).toBe(200);
    return response.body as Tokens;
  };
  const logout = (gateway: TestGateway, { access_token: token }: Tokens) =>
    gateway.request('POST', '/auth/logout', token);
  const refresh = async (gateway: TestGateway, { refresh_token }: Tokens) =>
    (await gateway.request('POST', '/auth/refresh', null, { refresh_token })).status;

  it('when Redis loses its data and the gateway restarts', async () => {
    const first = await start();
    const [ended, other] = [await login(first), await login(first)];
    expect((await logout(first, ended)).status).toBe(204);
    await stop(first);
    await shardsOf(await start()).all[0]!.commands.flushall();
    await redis.kill();
    await redis.start();

    const second = await start();
    expect(await statusOf(second, ended.access_token)).toBe(401);
    expect(await refresh(second, ended)).toBe(401);
    expect(await statusOf(second, other.access_token)).toBe(200);
    expect(await refresh(second, other)).toBe(200);
  });

  it('without Redis, also at gateways that have cached it', async () => {
    const [one, two] = [await start({ withRedis: false }), await start({ withRedis: false })];
    const tokens = await login(one);
    for (const gateway of [one, two]) expect(await statusOf(gateway, tokens.access_token)).toBe(200);
    expect((await logout(one, tokens)).status).toBe(204);
    expect(await statusOf(one, tokens.access_token)).toBe(401);
    await untilStatus(two, tokens.access_token, 401);
    expect(await refresh(two, tokens)).toBe(401);
  });

  it('when Redis is down at the logout and returns with its data', async () => {
    const [one, two] = [await start(), await start()];
    const tokens = await login(one);
    for (const gateway of [one, two]) expect(await statusOf(gateway, tokens.access_token)).toBe(200);
    await redis.kill();
    expect((await logout(one, tokens)).status).toBe(204);
    await untilStatus(two, tokens.access_token, 401);
    await redis.start();
    const third = await start();
    for (const gateway of [one, two, third]) expect(await statusOf(gateway, tokens.access_token)).toBe(401);
  });
});
