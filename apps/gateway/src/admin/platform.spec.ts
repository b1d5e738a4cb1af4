import { adminSchemas } from '@spooled/contracts';
import { createTenant, eventually, useDatabase, useRedis, useSuperuser, useForAll } from '@spooled/testing';
import { randomAddress, startGateway } from '../gateway.fixture.js';

const adminKey = 'an administrator key of these specs';

const database = useDatabase();
const redis = useRedis();
const gateway = useForAll(
  () =>
    startGateway(database, {
      redisUrl: redis.url,
      env: { ADMIN_API_KEY: adminKey, TRUSTED_PROXY_HOPS: '1' },
    }),
  ({ stop }) => stop(),
);
const superuser = useSuperuser(database);

/** From an address of its own each time: requests of administrators are limited by address. */
async function ask(method: 'GET', path: string): Promise<{ status: number; body: unknown }> {
  const headers = { 'x-admin-key': adminKey, 'x-forwarded-for': randomAddress() };
  const response = await gateway.app.inject({ method, url: `/api/v1${path}`, headers });
  return { status: response.statusCode, body: response.json() };
}

describe('BX-25 GET /api/v1/admin/services', () => {
  const services = async () => adminSchemas.serviceList.parse((await ask('GET', '/admin/services')).body);
  const named = async (name: string) => (await services()).services.find(({ service }) => service === name)!;

  it('BX-25 shows each process with its version while it runs, and services of which none does', async () => {
    await eventually(async () => expect(await named('gateway')).toMatchObject({ alive: 1, versions: ['spec'] }));
    const second = await startGateway(database);
    await eventually(async () => expect((await named('gateway')).processes).toHaveLength(2));
    await second.stop();
    await eventually(async () => expect((await named('gateway')).processes).toHaveLength(1));
    expect(await named('engine')).toEqual({ service: 'engine', alive: 0, versions: [], processes: [] });
    expect((await services()).dependencies).toEqual({ database: true, redis: true });
  });

  it('BX-25 tells processes that were killed from those that run, and forgets them', async () => {
    await superuser.query(
      `INSERT INTO service_processes (id, service, version, host, seen_at) VALUES
         (uuidv7(), 'engine', 'old', 'a', now() - interval '1 minute'), (uuidv7(), 'engine', 'new', 'b', now()),
         (uuidv7(), 'engine', 'older', 'c', now() - interval '2 hours')`,
    );
    expect(await named('engine')).toMatchObject({ alive: 1, versions: ['new'] });
    const other = await startGateway(database);
    await eventually(async () => {
      const hosts = (await named('engine')).processes.map(({ host }) => host);
      expect(hosts.sort()).toEqual(['a', 'b']);
    });
    await other.stop();
  });
});

describe('BX-25 GET /api/v1/admin/tenants/top', () => {
  it('BX-25 orders organizations by what they did, or by their depth', async () => {
    const [quiet, busy] = await Promise.all([0, 1].map(() => createTenant(database.superuserUrl)));
    // One minute for all rows: the next one may begin between them.
    const { rows } = await superuser.query<{ at: string }>(
      `SELECT (date_trunc('minute', now()) - interval '1 minute')::text AS at`,
    );
    const minute = `'${rows[0]!.at}'::timestamptz`;
    await superuser.query(`INSERT INTO series_samples SELECT 60, ${minute}, now(), now(), 60, true`);
    const row = (org: string, queue: string, created: number, pending: number) =>
      superuser.query(
        `INSERT INTO queue_series (organization_id, step, queue_name, at, created, started, completed, retried, deadlettered, cancelled,
           wait_ms, run_ms, pending, scheduled, processing, oldest_ms)
         VALUES ($1, 60, $2, ${minute}, $3, 0, 0, 0, 0, 0, 0, 0, $4, 0, 0, 0)`,
        [org, queue, created, pending],
      );
    await row(quiet!.organizationId, '', 3, 90);
    await row(busy!.organizationId, '', 600, 1);
    await row(busy!.organizationId, 'mail', 600, 1);
    const top = async (query: string) =>
      adminSchemas.topTenants
        .parse((await ask('GET', `/admin/tenants/top?${query}`)).body)
        .tenants.map(({ organization_id, created_per_second, pending }) => [
          organization_id,
          created_per_second,
          pending,
        ]);
    // Of the five minutes one was sampled.
    const [few, many] = [
      [quiet!.organizationId, 0.05, 90],
      [busy!.organizationId, 10, 1],
    ];
    expect(await top('')).toEqual([many, few]);
    expect(await top('by=depth')).toEqual([few, many]);
    expect(await top('limit=1')).toEqual([many]);
    expect((await ask('GET', '/admin/tenants/top?by=size')).status).toBe(400);
  });
});

describe('BX-25 GET /api/v1/admin/capacity', () => {
  it('BX-25 compares connections, transaction ids and memory with their limits', async () => {
    const { limits, not_checked, jobs } = adminSchemas.capacity.parse((await ask('GET', '/admin/capacity')).body);
    expect(not_checked).toEqual([]);
    const byName = Object.fromEntries(limits.map((limit) => [limit.name, limit]));
    const connections = byName['postgresql_connections']!;
    expect(connections.used).toBeGreaterThan(0);
    expect(connections.share).toBeCloseTo(connections.used / connections.limit!, 2);
    expect(byName['postgresql_transaction_ids']!.share).toBeLessThan(0.5);
    expect(byName['postgresql_database_size']).toMatchObject({ limit: null, share: null });
    expect(limits.filter(({ name, used }) => name.startsWith('redis_memory_') && used > 0)).toHaveLength(1);
    expect(jobs.seconds).toBeGreaterThanOrEqual(0);
  });
});

it('BX-25 the routes of the platform are only for administrators', async () => {
  const { key } = await createTenant(database.superuserUrl);
  for (const path of ['services', 'tenants/top', 'capacity']) {
    expect((await gateway.request('GET', `/admin/${path}`, key)).status).toBe(401);
  }
});
