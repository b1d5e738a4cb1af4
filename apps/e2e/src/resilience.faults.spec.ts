import { createTenant, eventually, needsRedis, type Stack, startStack } from '@spooled/testing';
import pg from 'pg';
import { startDemo } from './demo-process.js';
import { Load } from './load.js';

let stack: Stack;
let superuser: pg.Client;
const customLimits = { rate_limit_requests_per_second: 100_000, rate_limit_burst: 100_000 };

beforeAll(async () => {
  // Two of each service, because the promises are about replicas.
  stack = await startStack({ gateways: 2, engines: 2, schedulers: 2, realtime: 0 });
  superuser = new pg.Client({ connectionString: stack.databaseUrls.superuserUrl });
  await superuser.connect();
  // Rate limits are tested in another spec.
  await superuser.query('UPDATE organizations SET custom_limits = $1', [JSON.stringify(customLimits)]);
}, 120_000);
afterAll(async () => {
  await superuser?.end();
  await stack?.stop();
});

describe('services die under load', () => {
  let load: Load;

  beforeEach(() => void (load = new Load(stack)));
  // Longer than it waits for the jobs of a failed test.
  afterEach(() => load.settle(), 90_000);

  const count = async (sql: string, parameters: unknown[] = []) =>
    (await superuser.query<{ n: number }>(sql, parameters)).rows[0]!.n;

  const call = async (key: string, gateway: number, method: string, path: string, body?: object) => {
    const response = await fetch(`${stack.baseUrls[gateway]}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: (text ? JSON.parse(text) : null) as { id: string } };
  };

  /** Makes PostgreSQL reject connections of the services, and terminates open ones. */
  const allowConnections = async (allowed: boolean) => {
    const { name, superuserUrl } = stack.databaseUrls;
    const server = new pg.Client({ connectionString: superuserUrl.replace(`/${name}`, '/postgres') });
    await server.connect();
    await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${allowed}`);
    const cut = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename LIKE $2';
    // A connection that was being opened in the meantime shows itself a moment later.
    const noneIsOpen = async () => expect((await server.query(cut, [name, 'spooled%'])).rowCount).toBe(0);
    if (!allowed) await eventually(noneIsOpen);
    await server.end();
  };

  /** NaN before the first one. */
  const batchesOf = async (engine: number) =>
    Number(/spooled_command_batch_size_count (\d+)/.exec(await stack.metrics('engine', engine))?.[1]);

  /** No acknowledged job is lost, no job is completed twice, no command runs twice. */
  const expectNothingLost = async () => {
    await load.settle();
    expect(load.open()).toEqual([]);
    expect(load.sharedJobs).toEqual([]);
    expect([...load.completed.values()].filter((times) => times !== 1)).toEqual([]);
    const keys = [...load.acknowledged.keys()];
    const stored = await count(
      `SELECT count(*)::int AS n FROM jobs WHERE idempotency_key = ANY ($1) AND outcome = 'completed'`,
      [keys],
    );
    expect(stored).toBe(keys.length);
    const counted = await count('SELECT coalesce(sum(jobs_created), 0)::int AS n FROM usage_counters');
    expect(counted).toBe(await count('SELECT count(*)::int AS n FROM jobs'));
  };

  it('KF-01 SP-21 KF-19 the jobs of several tenants run side by side on two gateways and engines; each tenant sees its own alone', async () => {
    const tenants = await Promise.all(
      [1, 2].map(() => createTenant(stack.databaseUrls.superuserUrl, { customLimits })),
    );
    const others = tenants.map(({ key }) => new Load(stack, { producers: 3, workers: 3, apiKey: key }));
    await Promise.all([load, ...others].map((each) => each.finished(60)));
    for (const [i, other] of others.entries()) {
      await other.settle();
      expect([other.open(), other.sharedJobs]).toEqual([[], []]);
      const headers = { authorization: `Bearer ${tenants[i]!.key}` };
      const response = await fetch(`${stack.baseUrl}/api/v1/jobs/stats`, { headers });
      expect(await response.json()).toMatchObject({ total: other.acknowledged.size, completed: other.completed.size });
    }
    await expectNothingLost();
    for (const [engine] of stack.services.includes('engine') ? stack.metricsUrls('engine').entries() : [])
      expect(await batchesOf(engine)).toBeGreaterThan(0);
  }, 120_000);

  needsRedis('engines').it(
    'KF-18 BX-08 engines killed with SIGKILL under load lose nothing; without any the gateways run commands themselves, until one returns',
    async () => {
      await load.accepted(50);
      await stack.kill('engine', 0);
      await load.finished(100);
      await stack.kill('engine', 1);
      await load.finished(100);
      await Promise.all([stack.restart('engine', 0), stack.restart('engine', 1)]);
      await load.finished(50);
      await expectNothingLost();
    },
    120_000,
  );

  it('SP-77 KF-19 a gateway and a scheduler killed with SIGKILL under load lose nothing; the others take their work', async () => {
    await load.accepted(50);
    const { body: abandoned } = await call(stack.apiKey, 0, 'POST', '/jobs', { queue_name: 'abandoned', payload: {} });
    const claim = { queue_name: 'abandoned', worker_id: 'gone', lease_duration_secs: 5 };
    expect((await call(stack.apiKey, 0, 'POST', '/jobs/claim', claim)).status).toBe(200);
    await Promise.all([stack.kill('gateway', 1), stack.kill('scheduler', 0)]);
    await load.finished(50);
    await stack.restart('gateway', 1);
    await load.finished(20);
    await expectNothingLost();
    const recovered = async () =>
      expect((await call(stack.apiKey, 0, 'GET', `/jobs/${abandoned.id}`)).body).toMatchObject({ status: 'pending' });
    await eventually(recovered);
    await stack.restart('scheduler', 0);
  }, 120_000);

  needsRedis('is killed').it(
    'BX-08 KF-09 Redis is restarted under load: create, claim and complete continue, the transport resumes',
    async () => {
      await load.finished(50);
      await stack.redis!.kill();
      await load.accepted(50);
      await load.finished(50);
      await stack.redis!.start();
      const before = await batchesOf(0);
      await eventually(async () => expect(await batchesOf(0)).toBeGreaterThan(before), { timeoutMs: 20_000 });
      await load.finished(50);
      await expectNothingLost();
    },
    120_000,
  );

  it('PostgreSQL is unreachable: callers receive 503 with the reason, and all services recover', async () => {
    await load.finished(50);
    await allowConnections(false);
    const error = await eventually(async () => {
      const response = await fetch(`${stack.baseUrl}/api/v1/jobs`, {
        headers: { authorization: `Bearer ${stack.apiKey}` },
      });
      expect(response.status).toBe(503);
      return (await response.json()) as object;
    });
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('PostgreSQL') });
    expect((await fetch(`${stack.baseUrl}/health`)).status).toBe(503);
    await allowConnections(true);
    await load.finished(50);
    await expectNothingLost();
    await eventually(async () => {
      const health = await fetch(`${stack.baseUrl}/health`);
      expect({ status: health.status, body: await health.json() }).toMatchObject({ status: 200 });
    });
  }, 120_000);

  it('PB-05 services that start while PostgreSQL is unreachable wait for it and are unready', async () => {
    // All services wait by the same code.
    const names = ['gateway', 'webhooks'] as const;
    await Promise.all(names.map((name) => stack.kill(name)));
    await allowConnections(false);
    const restarts = Promise.all(names.map((name) => stack.restart(name)));
    try {
      for (const name of names) {
        const waiting = async () => {
          expect(stack.logs(name).some((line) => line.includes('waiting for PostgreSQL'))).toBe(true);
          expect((await fetch(`${stack.metricsUrl(name)}/health/ready`)).status).toBe(503);
        };
        await eventually(waiting, { timeoutMs: 30_000 });
      }
    } finally {
      await allowConnections(true);
      await restarts;
    }
    await load.finished(20);
    await expectNothingLost();
  }, 120_000);

  it('MQ-13 PB-24 SIGTERM drains: a service completes its in-flight requests, also one that waits, before it stops', async () => {
    const { key, organizationId } = await createTenant(stack.databaseUrls.superuserUrl);
    const { body: job } = await call(key, 1, 'POST', '/jobs', { queue_name: 'held', payload: {} });
    await load.accepted(50);
    await superuser.query('BEGIN');
    await superuser.query('SELECT FROM job_queue WHERE job_id = $1 FOR UPDATE', [job.id]);
    // Of all changes this one waits the longest for a lock.
    const waiting = call(key, 1, 'DELETE', '/queues/held?delete_jobs=true');
    await eventually(async () => {
      const blocked = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
      expect(await count(blocked)).toBeGreaterThan(0);
    });
    const stopped = stack.kill('gateway', 1, 'SIGTERM');
    const isStopping = () => stack.logs('gateway', 1).some((line) => line.includes('"stopping"'));
    await eventually(() => expect(isStopping()).toBe(true), { everyMs: 10 });
    await superuser.query('ROLLBACK');
    expect((await waiting).status).toBe(204);
    await stopped;
    const drained = (['engine', 'gateway'] as const).filter((name) => stack.services.includes(name));
    if (stack.services.includes('engine')) await stack.kill('engine', 1, 'SIGTERM');
    await load.finished(50);
    for (const name of drained) await stack.restart(name, 1);
    // That of the deleted job.
    await superuser.query('DELETE FROM usage_counters WHERE organization_id = $1', [organizationId]);
    await expectNothingLost();
  }, 120_000);
});

describe('the demonstration', () => {
  const jobsSoFar = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${stack.apiKey}` };
    const response = await fetch(`${stack.baseUrl}/api/v1/jobs/stats`, { headers });
    return ((await response.json()) as { total: number }).total;
  };

  it('finds no lost and no duplicate jobs, also when services are killed', async () => {
    const before = await jobsSoFar();
    const demo = startDemo(stack, 120);
    await eventually(async () => expect((await jobsSoFar()) - before).toBeGreaterThan(30), { timeoutMs: 30_000 });
    if (stack.services.includes('engine')) await stack.kill('engine', 0);
    await stack.restart('webhooks');
    const code = await demo.ended;
    expect([code, demo.output()]).toEqual([0, expect.stringContaining('Nothing lost, nothing completed twice.')]);
    expect(demo.output()).toMatch(/accepted\s+120 webhooks/);
    if (stack.services.includes('engine')) await stack.restart('engine', 0);
  }, 120_000);
});
