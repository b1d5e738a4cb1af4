import {
  createTestDatabase,
  ManualClock,
  openConnections,
  startTcpProxy,
  type TcpProxy,
  type TestDatabase,
} from '@spooled/testing';
import pg from 'pg';
import type { Database } from './database.js';

/** Long enough that connections are opened in it on a busy machine. */
const queryTimeoutMs = 2_500;

/** Side by side, because the tests wait for this time. */
describe('open connections that stop responding', () => {
  let real: TestDatabase;
  let superuser: pg.Client;

  beforeAll(async () => {
    real = await createTestDatabase();
    superuser = new pg.Client({ connectionString: real.superuserUrl });
    await superuser.connect();
  });
  afterAll(async () => {
    await superuser?.end();
    await real?.drop();
  });

  /** Connections of one test. */
  class Connections implements AsyncDisposable {
    private constructor(
      readonly proxy: TcpProxy,
      readonly database: Database,
    ) {}

    static async open(): Promise<Connections> {
      const proxy = await startTcpProxy(real.superuserUrl);
      const urls = { appUrl: proxy.through(real.appUrl), systemUrl: proxy.through(real.systemUrl) };
      return new Connections(proxy, openConnections(urls, { maxConnections: 3, queryTimeoutMs }));
    }

    async [Symbol.asyncDispose](): Promise<void> {
      await this.database.close();
      this.proxy.close();
    }
  }

  const organizationId = '00000000-0000-4000-8000-000000000001';
  const operations: [string, (database: Database) => Promise<unknown>][] = [
    ['withTenant', (database) => database.withTenant(organizationId, (tx) => tx.query('SELECT 1'))],
    ['asSystem', (database) => database.asSystem('spec', (tx) => tx.query('SELECT 1'))],
    ['inBatch', (database) => database.inBatch((tx) => tx.query('SELECT 1'))],
    ['ping', (database) => database.ping()],
  ];

  it.concurrent.each(operations)(
    '%s: fails with 503 after waiting for one connection, and the next calls get new ones',
    async (_, operation) => {
      await using used = await Connections.open();
      const { proxy, database } = used;
      const call = () => operation(database);
      await Promise.all([call(), call(), call()]);
      proxy.stall();
      await expect(call()).rejects.toMatchObject({ status: 503 });
      await Promise.all([call(), call(), call()]);
      expect(proxy.usedWhileStalled()).toBe(1);
    },
  );

  it.concurrent('PostgreSQL releases the locks of an abandoned transaction and does not commit it', async () => {
    await using used = await Connections.open();
    const { proxy, database } = used;
    let locked!: () => void;
    const hasLock = new Promise<void>((resolve) => (locked = resolve));
    const abandoned = database.asSystem('spec', async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock(42)');
      await tx.query(`INSERT INTO system_gauges (name, value) VALUES ('spec', 1)`);
      locked();
      proxy.stall();
      await tx.query('SELECT 1');
    });
    await hasLock;
    await expect(abandoned).rejects.toMatchObject({ status: 503 });
    await database.asSystem('spec', (tx) => tx.query('SELECT pg_advisory_xact_lock(42)'));
    const { rows } = await superuser.query(`SELECT FROM system_gauges WHERE name = 'spec'`);
    expect(rows).toEqual([]);
  });

  it.concurrent('is not ready while transactions get no response, even if another connection responds', async () => {
    await using used = await Connections.open();
    const { proxy } = used;
    const clock = new ManualClock();
    const settings = { maxConnections: 3, queryTimeoutMs: 20_000, clock };
    const stalling = openConnections({ appUrl: proxy.through(real.appUrl) }, settings);
    let stalled!: () => void;
    const isStalled = new Promise<void>((resolve) => (stalled = resolve));
    const hanging = stalling.withTenant(organizationId, async (tx) => {
      await tx.query('SELECT 1');
      proxy.stall();
      stalled();
      await tx.query('SELECT 1');
    });
    hanging.catch(() => undefined);
    await isStalled;
    await stalling.ping();
    await clock.advance(settings.queryTimeoutMs / 2 + 1);
    await expect(stalling.ping()).rejects.toMatchObject({ status: 503 });
    proxy.closeStalled();
    await expect(hanging).rejects.toMatchObject({ status: 503 });
    await stalling.ping();
    await stalling.close();
  });

  it.concurrent('cancels a statement that exceeds the time limit, except in transactions without one', async () => {
    await using used = await Connections.open();
    const slow = (limits?: object) => used.database.asSystem('spec', (tx) => tx.query('SELECT pg_sleep(2.6)'), limits);
    const unlimited = slow({ timeoutMs: 'none' });
    await expect(slow()).rejects.toMatchObject({ status: 503, cause: { code: '57014' } });
    await unlimited;
  });
});
