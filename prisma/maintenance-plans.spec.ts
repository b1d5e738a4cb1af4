import { randomUUID } from 'node:crypto';
import { measureQueues } from '@spooled/data-access';
import { Deadlines, JobEngine, Maintenance } from '@spooled/queue';
import { createTestDatabase, flushStatistics, openConnections, type TestDatabase } from '@spooled/testing';
import pg from 'pg';
import {
  due,
  limit,
  notDue,
  recovery,
  cleanUp,
  claims,
  type Task,
  type Services,
} from './maintenance-tasks.fixture.js';
import { insertRows } from './table-rows.fixture.js';

let database: TestDatabase;
let superuser: pg.Client;
/** Its sessions have made their plans while the tables were empty. */
let early: Services;

/** One connection of each role, so that every statement uses the plans of its first runs. */
function openServices(organizations: string[]): Services {
  const db = openConnections(database, { maxConnections: 1, maxSystemConnections: 1, minConnections: 1 });
  const onEffects = () => undefined;
  return {
    db,
    engine: new JobEngine(db, { onEffects }),
    maintenance: new Maintenance(db, { onEffects, onError: onEffects }),
    organizations,
  };
}

async function runAll(services: Services): Promise<void> {
  for (const task of Object.values({ ...recovery, ...cleanUp, ...claims })) await task.run(services);
  await services.maintenance.resolveOrphanedDependents(limit);
}

beforeAll(async () => {
  database = await createTestDatabase();
  superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
  const { rows } = await superuser.query<{ id: string }>(
    `INSERT INTO organizations (name, slug) VALUES ('A', 'a'), ('B', 'b') RETURNING id`,
  );
  early = openServices(rows.map(({ id }) => id));
  // PostgreSQL makes the plan that it keeps for a prepared statement at the sixth execution.
  for (let i = 0; i < 6; i++) await runAll(early);
  for (const [kind, count, time] of notDue) await insertRows(superuser, early.organizations, { kind, count, time });
});
afterAll(async () => {
  await early?.db.close();
  await superuser?.end();
  await database?.drop();
});

// In this order: PostgreSQL plans again after ANALYZE.
describe.each(['cached while the tables were empty', 'made for full tables'])('with plans %s', (when) => {
  let services: Services;

  beforeAll(async () => {
    services = early;
    if (when.startsWith('cached')) return;
    // What the tests before have found, and what is still in the indexes of what they have processed.
    await superuser.query(`DELETE FROM schedules WHERE next_run_at <= now();
      DELETE FROM webhook_deliveries WHERE status = 'pending' AND next_attempt_at <= now()`);
    await superuser.query('VACUUM (ANALYZE)');
    services = openServices(early.organizations);
  });
  afterAll(async () => {
    if (services !== early) await services.db.close();
  });

  interface Counters {
    rows: number;
    scans: Map<string, number>;
    /** Of job_queue, rows that scans of the whole table have read. */
    sequential: number;
  }

  /** Rows and index entries read so far, and scans by index. */
  async function counters(): Promise<Counters> {
    await flushStatistics(
      (sql) => services.db.inBatch((tx) => tx.query(sql)),
      (sql) => services.db.asSystem('flush', (tx) => tx.query(sql)),
      (sql) => superuser.query(sql),
    );
    const { rows } = await superuser.query<{ name: string; scans: number; rows: number }>(
      `SELECT indexrelname AS name, idx_scan::int AS scans, idx_tup_read::int AS rows FROM pg_stat_user_indexes
       UNION ALL SELECT relname, 0, seq_tup_read::int FROM pg_stat_user_tables`,
    );
    return {
      rows: rows.reduce((sum, each) => sum + each.rows, 0),
      scans: new Map(rows.map(({ name, scans }) => [name, scans])),
      sequential: rows.find(({ name }) => name === 'job_queue')!.rows,
    };
  }

  async function expectBounded({ makes, run, index, most, moreReads = 0 }: Task): Promise<void> {
    const { organizations } = services;
    if (makes) await insertRows(superuser, organizations, { kind: makes[0], count: due, time: makes[1] });
    const before = await counters();
    const processed = await run(services);
    const after = await counters();
    const used = [...after.scans].filter(([name, scans]) => scans > before.scans.get(name)!).map(([name]) => name);
    const read = after.rows - before.rows;
    const expected = due * organizations.length;
    expect({ processed, used }).toEqual({
      processed: expected,
      used: expect.arrayContaining([expect.stringMatching(index)]),
    });
    expect({ read, isBounded: read <= most * expected + moreReads }).toEqual({ read, isBounded: true });
  }

  describe('PB-18 MQ-06 SP-63 reads only what is due, by an index of its own:', () => {
    it.each(Object.entries(recovery))('%s', (_, task) => expectBounded(task));

    it('SP-51 looks for orphaned dependents among some blocked jobs at a time, and finds each of them', async () => {
      const { organizations, maintenance } = services;
      // Their parent is unknown for an hour.
      await insertRows(superuser, organizations, { kind: 'blocked', count: due, time: '-2 hours' });
      // Of 1,000 blocked jobs.
      const most = 50;
      let found = 0;
      // 5,000 jobs are blocked and have not been for an hour.
      for (let run = 0; run < 6; run++) {
        const before = await counters();
        found += await maintenance.resolveOrphanedDependents(most);
        const after = await counters();
        const read = after.rows - before.rows;
        expect({ read, isBounded: read <= 6000 }).toEqual({ read, isBounded: true });
        expect(after.scans.get('job_queue_blocked_ids')).toBeGreaterThan(before.scans.get('job_queue_blocked_ids')!);
      }
      expect(found).toBe(due * organizations.length);
    });

    it('SP-34 PB-30 counts live jobs for figures without a look at those that wait for a time', async () => {
      const before = await counters();
      const { all } = await services.db.asSystem('spec', (tx) => measureQueues(tx, { perOrganization: 10, total: 10 }));
      const after = await counters();
      expect(all.processing).toBeGreaterThan(0);
      expect(after.scans.get('job_queue_waiting')).toBe(before.scans.get('job_queue_waiting'));
      expect(after.sequential).toBe(before.sequential);
    });

    it('BX-15 erases an organization without a look at the rows of others', async () => {
      const before = await counters();
      await services.db.withTenant(randomUUID(), (tx) =>
        tx.query('SELECT erase_organization_v1(current_organization(), 1000)'),
      );
      const read = (await counters()).rows - before.rows;
      expect({ read, isBounded: read <= 200 }).toEqual({ read, isBounded: true });
    });

    it('find the next deadline', async () => {
      const before = await counters();
      expect(await new Deadlines(services.db).msUntil('job')).toEqual(expect.any(Number));
      // The entries of what was due in other tests may still be in the indexes.
      expect((await counters()).rows - before.rows).toBeLessThanOrEqual(200);
    });
  });

  describe('PB-18 SP-63 retention reads only what it deletes, by an index:', () => {
    it.each(Object.entries(cleanUp))('%s', (_, task) => expectBounded(task));
  });

  describe('PB-18 MQ-05 SP-63 reads an index of live jobs:', () => {
    it.each(Object.entries(claims))('%s', (_, task) => expectBounded(task));
  });
});
