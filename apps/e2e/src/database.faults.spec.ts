import {
  defaultTimeouts,
  eventually,
  type PausableDatabase,
  type Stack,
  startPausableDatabase,
  startStack,
  startTcpProxy,
  type TcpProxy,
} from '@spooled/testing';
import pg from 'pg';
import { findUnreceivedLeases, Load } from './load.js';

/** PostgreSQL with the settings of production: commits are flushed before they are acknowledged. */
describe('PostgreSQL faults under load', () => {
  let database: PausableDatabase;
  let proxy: TcpProxy;
  let stack: Stack;
  /** Survives a crash. */
  let superuser: pg.Pool;
  let load: Load;

  beforeAll(async () => {
    database = await startPausableDatabase({ durable: true });
    proxy = await startTcpProxy(database.superuserUrl);
    const { appUrl, systemUrl } = database;
    const proxied = { ...database, appUrl: proxy.through(appUrl), systemUrl: proxy.through(systemUrl) };
    stack = await startStack({ database: proxied, realtime: 0, env: defaultTimeouts });
    superuser = new pg.Pool({ connectionString: database.superuserUrl, max: 1 });
    superuser.on('error', () => undefined);
    await superuser.query(
      `UPDATE organizations SET custom_limits = '{"rate_limit_requests_per_second": 100000, "rate_limit_burst": 100000}'`,
    );
  }, 120_000);
  afterAll(async () => {
    await superuser?.end();
    await stack?.stop();
    proxy?.close();
    await database?.drop();
  });
  beforeEach(() => void (load = new Load(stack)));
  // Longer than it waits for the jobs of a failed test.
  afterEach(() => load.settle(), 90_000);

  /** Fails while the services have no connection. */
  const terminateAll = async () => {
    const { rowCount } = await superuser.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename LIKE 'spooled%'`,
    );
    expect(rowCount).toBeGreaterThan(0);
  };

  const endedProcesses = () =>
    stack.services.flatMap((name) => stack.logs(name).filter((line) => line.startsWith('exited')));

  /** The statuses of these processes, each once. */
  const readinessOf = async (...names: string[]) => {
    const asked = stack.services.filter((name) => names.includes(name));
    const all = asked.map(async (name) => (await fetch(`${stack.metricsUrl(name)}/health/ready`)).status);
    return [...new Set(await Promise.all(all))];
  };

  const createJob = async () => {
    const response = await fetch(`${stack.baseUrl}/api/v1/jobs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ queue_name: 'paused', payload: {} }),
    });
    return { status: response.status, retryAfter: response.headers.get('retry-after') };
  };

  const expectNothingLost = async () => {
    await load.settle();
    expect(load.open()).toEqual([]);
    const { rows } = await superuser.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM jobs WHERE idempotency_key = ANY ($1) AND outcome = 'completed'`,
      [[...load.acknowledged.keys()]],
    );
    expect(rows[0]!.n).toBe(load.acknowledged.size);
  };

  it('all connections terminated twenty times, as soon as there are new ones: no process exits, processing resumes, nothing is lost', async () => {
    await load.finished(50);
    for (let times = 0; times < 20; times++) await eventually(terminateAll);
    // Jobs that are created and completed from now on.
    await load.next();
    expect(endedProcesses()).toEqual([]);
    await expectNothingLost();
  }, 120_000);

  it('all connections blocked permanently: not ready until new ones work, then processing resumes on them, nothing is lost', async () => {
    const readiness = () => readinessOf('gateway', 'engine', 'webhooks');
    await load.finished(50);
    proxy.stallAll();
    await eventually(async () => expect(await readiness()).toEqual([503]), { timeoutMs: 15_000 });
    proxy.forwardNew();
    // The stalled connections stay stalled: what is answered now runs on new ones.
    await load.next();
    await eventually(async () => expect(await readiness()).toEqual([200]), { timeoutMs: 15_000 });
    await expectNothingLost();
  }, 120_000);

  it('PostgreSQL hangs until all leases have expired: callers receive 503, work resumes afterwards, nothing is lost', async () => {
    const readiness = () => readinessOf('gateway', 'engine');
    await load.finished(50);
    database.pause();
    try {
      const result = createJob();
      await eventually(async () => expect(await readiness()).toEqual([503]));
      expect(await result).toEqual({ status: 503, retryAfter: expect.any(String) });
      await load.leasesExpired();
    } finally {
      database.resume();
    }
    await load.next();
    await eventually(async () => expect(await readiness()).toEqual([200]));
    await expectNothingLost();
    const client = await superuser.connect();
    expect(await findUnreceivedLeases(client, load)).toEqual([]);
    client.release();
  }, 120_000);

  it('SP-58 MQ-02 a crash loses no acknowledged job and no acknowledged completion', async () => {
    const { rows: settings } = await superuser.query<{ setting: string }>(
      `SELECT setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes')`,
    );
    expect(settings.map(({ setting }) => setting)).toEqual(['on', 'on', 'on']);
    await load.finished(100);
    const [acknowledged, completed] = [[...load.acknowledged.values()], [...load.completed.keys()]];
    await database.crashAndRestart();
    const { rows: jobs } = await superuser.query<{ id: string; status: string }>(
      'SELECT id, status FROM job_records WHERE id = ANY ($1::uuid[])',
      [acknowledged],
    );
    const statuses = new Map(jobs.map(({ id, status }) => [id, status]));
    expect(acknowledged.filter((id) => !statuses.has(id))).toEqual([]);
    expect(completed.filter((id) => statuses.get(id) !== 'completed')).toEqual([]);

    await load.finished(50);
    await expectNothingLost();
    expect([...load.completed.values()].filter((times) => times !== 1)).toEqual([]);
  }, 120_000);
});
