import {
  createTestDatabase,
  eventually,
  type Stack,
  startStack,
  startTcpProxy,
  type TcpProxy,
  type TestDatabase,
} from '@spooled/testing';
import pg from 'pg';
import { Load } from './load.js';

describe('PostgreSQL faults under load', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let stack: Stack;
  let superuser: pg.Client;
  let load: Load;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await startTcpProxy(database.superuserUrl);
    const { appUrl, systemUrl } = database;
    const proxied = { ...database, appUrl: proxy.through(appUrl), systemUrl: proxy.through(systemUrl) };
    stack = await startStack({ database: proxied });
    superuser = new pg.Client({ connectionString: database.superuserUrl });
    await superuser.connect();
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
  beforeEach(() => {
    load = new Load(stack);
  });
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

  const readiness = () =>
    Promise.all(
      stack.services
        .filter((name) => ['gateway', 'engine', 'webhooks'].includes(name))
        .map(async (name) => (await fetch(`${stack.metricsUrl(name)}/health/ready`)).status),
    );

  const expectNothingLost = async () => {
    await load.settle();
    expect(load.open()).toEqual([]);
    const { rows } = await superuser.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM jobs WHERE idempotency_key = ANY ($1) AND outcome = 'completed'`,
      [[...load.acknowledged.keys()]],
    );
    expect(rows[0]!.n).toBe(load.acknowledged.size);
  };

  it('all connections terminated fifty times, as soon as there are new ones: no process exits, processing resumes, nothing is lost', async () => {
    await load.finished(50);
    for (let times = 0; times < 50; times++) await eventually(terminateAll);
    // Jobs that are created and completed from now on.
    await load.next();
    expect(endedProcesses()).toEqual([]);
    await expectNothingLost();
  }, 120_000);

  it('all connections blocked permanently: not ready until new ones work, then processing resumes on them, nothing is lost', async () => {
    await load.finished(50);
    proxy.stallAll();
    await eventually(async () => expect(new Set(await readiness())).toEqual(new Set([503])), { timeoutMs: 15_000 });
    proxy.forwardNew();
    // The stalled connections stay stalled: what is answered now runs on new ones.
    await load.next();
    await eventually(async () => expect(new Set(await readiness())).toEqual(new Set([200])), { timeoutMs: 15_000 });
    await expectNothingLost();
  }, 120_000);
});
