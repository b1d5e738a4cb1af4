import { jest } from '@jest/globals';
import { createTenant, createTestDatabase, eventually, openConnections } from '@spooled/testing';
import pg from 'pg';

describe('the pool', () => {
  it('MQ-01 opens no more connections than it may, and its gauges count those in use and what waits for them', async () => {
    const stores = await createTestDatabase();
    const database = openConnections({ appUrl: stores.appUrl }, { maxConnections: 2 });
    // One organization alone would get one of the two connections.
    const tenants = await Promise.all([createTenant(stores.superuserUrl), createTenant(stores.superuserUrl)]);
    const observer = new pg.Client({ connectionString: stores.superuserUrl });
    await observer.connect();
    const counted = `SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'spec'`;
    const { promise: observed, resolve: observe } = Promise.withResolvers<void>();
    const load = Promise.all(
      Array.from({ length: 24 }, (_, i) => tenants[i % 2]!).map(({ organizationId }) =>
        database.withTenant(organizationId, async (tx) => {
          await tx.query('SELECT');
          await observed;
        }),
      ),
    );
    const seen: { open: number; active: number; waiting: number }[] = [];
    let done = false;
    void load.finally(() => (done = true));
    while (!done) {
      const { rows } = await observer.query<{ open: number }>(counted);
      const now = { open: rows[0]!.open, active: database.activeConnections, waiting: database.waitingTransactions };
      seen.push(now);
      if (now.open === 2 && now.active === 2 && now.waiting > 2) observe();
    }
    await load;
    expect(database.waitingTransactions).toBe(0);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const batches = Array.from({ length: 5 }, () => database.inBatch(() => held));
    await eventually(() => expect([database.activeConnections, database.waitingTransactions]).toEqual([2, 3]));
    release();
    await Promise.all(batches);
    await Promise.all([observer.end(), database.close()]);
    await stores.drop();
    expect(Math.max(...seen.map(({ waiting }) => waiting))).toBeGreaterThan(2);
    expect(Math.max(...seen.map(({ open }) => open))).toBe(2);
    expect(Math.max(...seen.map(({ active }) => active))).toBe(2);
  });

  it('reports that an idle connection broke, without the secrets of the connection', async () => {
    const stores = await createTestDatabase();
    const errors: Error[] = [];
    const database = openConnections({ appUrl: stores.appUrl }, { onError: (error) => errors.push(error) });
    const observer = new pg.Client({ connectionString: stores.superuserUrl });
    await observer.connect();
    const [row] = await database.inBatch((tx) => tx.query('SELECT pg_backend_pid() AS pid'));
    await observer.query('SELECT pg_terminate_backend($1)', [(row as { pid: number }).pid]);
    await eventually(() => expect(errors).toHaveLength(1));
    await Promise.all([observer.end(), database.close()]);
    await stores.drop();
    expect(errors).toEqual([expect.objectContaining({ code: '57P01' })]);
    expect(errors[0]).not.toHaveProperty('client');
  });

  it.each([['its role', 'appUrl'] as const, ['another login', 'superuserUrl'] as const])(
    'reads times to the microsecond as %s, whatever time zone the database has',
    async (_, login) => {
      const stores = await createTestDatabase();
      const observer = new pg.Client({ connectionString: stores.superuserUrl });
      await observer.connect();
      await observer.query(`ALTER DATABASE ${stores.name} SET timezone = 'Asia/Kolkata'`);
      const database = openConnections({ appUrl: stores[login] });
      const [row] = await database.inBatch((tx) => tx.query(`SELECT timestamptz '2030-01-01 00:00:00.123456Z' AS at`));
      await Promise.all([observer.end(), database.close()]);
      await stores.drop();
      expect(row).toEqual({ at: '2030-01-01T00:00:00.123456Z' });
    },
  );

  describe('when it closes', () => {
    afterEach(() => jest.restoreAllMocks());

    /** A database with one idle connection, whose session can be stopped as on a busy server. */
    async function openIdle() {
      const stores = await createTestDatabase();
      const errors: unknown[] = [];
      const database = openConnections(stores, { onError: (error) => errors.push(error) });
      const observer = new pg.Client({ connectionString: stores.superuserUrl });
      await observer.connect();
      const [row] = await database.inBatch((tx) => tx.query('SELECT pg_backend_pid() AS pid'));
      const { pid } = row as { pid: number };
      const close = { isDone: false, done: Promise.resolve() };
      return {
        ...{ database, errors, observer, close },
        beginClose() {
          process.kill(pid, 'SIGSTOP');
          close.done = database.close().finally(() => (close.isDone = true));
        },
        terminate: () => observer.query('SELECT pg_terminate_backend($1)', [pid]),
        goOn: () => process.kill(pid, 'SIGCONT'),
        sessions: async () => (await observer.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid])).rows.length,
        async end() {
          await close.done;
          await observer.end();
          await stores.drop();
        },
      };
    }

    it('waits until PostgreSQL has ended its sessions', async () => {
      const idle = await openIdle();
      // It waits for a second at most, which may be over before this session is stopped and goes on.
      jest.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
      idle.beginClose();
      const before = [await idle.sessions(), idle.close.isDone];
      idle.goOn();
      await idle.close.done;
      const after = await idle.sessions();
      await idle.end();
      expect({ before, after }).toEqual({ before: [1, false], after: 0 });
    });

    it('reports no error of a session that ends anyway', async () => {
      const idle = await openIdle();
      idle.beginClose();
      await idle.terminate();
      idle.goOn();
      await eventually(async () => expect(await idle.sessions()).toBe(0));
      await idle.end();
      expect(idle.errors).toEqual([]);
    });

    it('does not wait for a session that does not end', async () => {
      const idle = await openIdle();
      idle.beginClose();
      await idle.close.done;
      const left = await idle.sessions();
      idle.goOn();
      await idle.end();
      expect(left).toBe(1);
    });
  });
});
