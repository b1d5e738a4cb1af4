import type { Command } from '@spooled/contracts';
import {
  beforeFirstOverdue,
  Database,
  deleteExpiredRecords,
  deleteOldSeries,
  findDueSchedules,
  findOverdueDeliveries,
  markStaleWorkers,
  type RetainedRecord,
} from '@spooled/data-access';
import { JobEngine, Maintenance, msUntilNextDeadline } from '@spooled/queue';
import { claim, createTestDatabase, type TestDatabase } from '@spooled/testing';
import pg from 'pg';
import { insertRows, type RowKind } from './table-rows.fixture.js';

/** Rows of each organization that are due. */
const due = 20;
const limit = 1000;
const retentionDays = 30;
const daySeconds = 86_400;
/** Of both organizations. */
const schedules = 1000;

/** Rows of each organization that are not due, about 60,000 in all, by their times. */
const notDue: [RowKind, count: number, time: string][] = [
  ['ready', 2500, '0'],
  ['scheduled', 2500, '1 day'],
  ['leased', 2500, '1 day'],
  ['blocked', 2500, '0'],
  ['expiring', 1000, '1 day'],
  ['completedJobs', 2500, '-1 day'],
  ['deadLetters', 2500, '-1 day'],
  // Older than the retention of jobs, and kept: they became dead letters today.
  ['lateDeadLetters', 2500, '-35 days'],
  ['jobStats', 2500, '0'],
  ['deliveries', 2500, '-1 day'],
  ['pendingDeliveries', 1000, '1 day'],
  ['inboundDeliveries', 1000, '-1 day'],
  ['inboundRefusals', 1000, '-1 day'],
  ['workflows', 1000, '-1 day'],
  ['schedules', schedules / 2, '1 day'],
  ['scheduleRuns', 2500, '-1 day'],
  ['workers', 1000, '0'],
  ['offlineWorkers', 1000, '-1 day'],
  ['usageCounters', 1000, '-1 day'],
  ['queueSeries', 2500, '0'],
  ['commandLog', 2500, '0'],
  ['commandFences', 2500, '0'],
];

interface Task {
  /** What makes work for it. */
  makes?: [RowKind, time: string];
  /** Returns how much it has processed or found. */
  run(services: Services): Promise<number>;
  /** The index that names what is due; of a partition's index, the beginning of its columns. */
  index: RegExp;
  /** How many rows and index entries it may read for each due row, with everything that belongs to it. */
  most: number;
  /** What it may read besides, however much is due. */
  moreReads?: number;
}

interface Services {
  db: Database;
  engine: JobEngine;
  maintenance: Maintenance;
  organizations: string[];
}

const retention = (
  kind: RetainedRecord,
  makes: RowKind,
  index: RegExp,
  { most = 6, time = '-40 days' } = {},
): Task => ({
  makes: [makes, time],
  run: ({ db, organizations }) => {
    const periods = organizations.map((organizationId) => ({ organizationId, days: retentionDays }));
    const batch = { limit, lookBackSeconds: daySeconds };
    return db.asSystem('retention', (tx) => deleteExpiredRecords(tx, kind, periods, batch));
  },
  index,
  most,
});

const recovery: Record<string, Task> = {
  'activate due jobs': {
    makes: ['scheduled', '-1 minute'],
    run: ({ maintenance }) => maintenance.activateDue(limit),
    index: /^job_queue_due$/,
    most: 6,
  },
  'recover expired leases': {
    makes: ['leased', '-1 minute'],
    run: ({ maintenance }) => maintenance.recoverExpiredLeases(limit),
    index: /^job_queue_lease$/,
    most: 15,
  },
  'recover the jobs of offline workers': {
    makes: ['leasedByStaleWorker', '1 day'],
    run: ({ maintenance, organizations }) =>
      maintenance.recoverJobsOfWorkers(organizations.map((organizationId) => ({ organizationId, id: 'gone' }))),
    index: /^job_queue_leased$/,
    most: 15,
  },
  'cancel expired jobs': {
    makes: ['expiring', '-1 minute'],
    run: ({ maintenance }) => maintenance.expireJobs(limit),
    index: /^job_queue_expiry$/,
    most: 15,
  },
  'mark stale workers': {
    makes: ['workers', '-1 hour'],
    run: async ({ db }) => {
      const after = { degradedSeconds: 60, offlineSeconds: 120 };
      return (await db.asSystem('spec', (tx) => markStaleWorkers(tx, after, limit))).length;
    },
    index: /^workers_alive$/,
    most: 6,
  },
  'find overdue deliveries': {
    makes: ['pendingDeliveries', '-1 hour'],
    run: async ({ db }) => {
      const page = { bySeconds: 60, after: beforeFirstOverdue, limit };
      return (await db.asSystem('spec', (tx) => findOverdueDeliveries(tx, page))).length;
    },
    index: /^webhook_deliveries_pending$/,
    most: 3,
  },
  'find due schedules': {
    makes: ['schedules', '-1 minute'],
    run: async ({ db }) => (await db.asSystem('spec', (tx) => findDueSchedules(tx, limit))).length,
    index: /^schedules_due$/,
    most: 6,
  },
};

const cleanUp: Record<string, Task> = {
  'finished jobs': retention('finishedJobs', 'completedJobs', /^jobs_\w+_organization_id_created_at/, {
    most: 15,
    time: '-30 days -1 hour',
  }),
  'dead letters': retention('deadLetters', 'deadLetters', /^dead_letters_oldest_deaths$/, { most: 15 }),
  'history of jobs': retention('jobHistory', 'jobHistory', /^job_history_\w+_organization_id_job_id/),
  deliveries: retention('deliveries', 'deliveries', /^webhook_deliveries_oldest$/),
  'inbound deliveries': retention('inboundDeliveries', 'inboundDeliveries', /^inbound_deliveries_newest$/),
  'refused inbound webhooks': retention('inboundRefusals', 'inboundRefusals', /^inbound_refusals_newest$/),
  // Looks at each schedule, because runs are found by their schedule.
  'runs of schedules': {
    ...retention('scheduleRuns', 'scheduleRuns', /^schedule_runs_newest$/),
    moreReads: 2 * schedules,
  },
  'offline workers': retention('offlineWorkers', 'offlineWorkers', /^workers_organization$/),
  workflows: retention('workflows', 'workflows', /^workflows_newest$/, { most: 10 }),
  'counters of usage': retention('usageCounters', 'usageCounters', /^usage_counters_pkey$/),
  'counters of past hours': {
    makes: ['jobStats', '-3 days'],
    run: ({ maintenance }) => maintenance.mergeOldStats(limit),
    index: /^job_stats_oldest$/,
    most: 6,
  },
  series: {
    makes: ['queueSeries', '-2 hours'],
    run: ({ db }) => db.asSystem('spec', (tx) => deleteOldSeries(tx, limit)),
    index: /^queue_series_oldest$/,
    most: 6,
  },
  'results of commands': {
    makes: ['commandLog', '-1 day'],
    run: ({ maintenance }) => maintenance.deleteOldCommands(limit),
    index: /^command_log_oldest$/,
    most: 6,
  },
  'fences of commands': {
    makes: ['commandFences', '-1 day'],
    run: ({ maintenance }) => maintenance.deleteOldCommands(limit),
    index: /^command_fences_oldest$/,
    most: 6,
  },
};

const claims: Record<string, Task> = {
  'claim jobs': {
    run: async ({ engine, organizations }) => {
      const commands = organizations.map((org) => claim(org, { limit: due }));
      const outcomes = await engine.execute(commands as Command[]);
      return outcomes.reduce((sum, each) => sum + (each.ok ? (each.value as { jobs: unknown[] }).jobs.length : 0), 0);
    },
    index: /^job_queue_claim$/,
    most: 15,
  },
};

describe.each(['cached while the tables were empty', 'made for full tables'])('with plans %s', (when) => {
  let database: TestDatabase;
  let superuser: pg.Client;
  let services: Services;

  beforeAll(async () => {
    database = await createTestDatabase();
    superuser = new pg.Client({ connectionString: database.superuserUrl });
    await superuser.connect();
    const { rows } = await superuser.query<{ id: string }>(
      `INSERT INTO organizations (name, slug) VALUES ('A', 'a'), ('B', 'b') RETURNING id`,
    );
    const organizations = rows.map(({ id }) => id);
    // One connection of each role, so that every statement uses the plans of its first runs.
    const db = new Database({
      appUrl: database.appUrl,
      systemUrl: database.systemUrl,
      applicationName: 'spec',
      maxConnections: 1,
      maxSystemConnections: 1,
      minConnections: 1,
      acquireTimeoutMs: 10_000,
      onError: () => undefined,
    });
    const onEffects = () => undefined;
    services = {
      db,
      engine: new JobEngine(db, { onEffects }),
      maintenance: new Maintenance(db, { onEffects }),
      organizations,
    };
    // PostgreSQL makes the plan that it keeps for a prepared statement at the sixth execution.
    if (when.startsWith('cached')) for (let i = 0; i < 6; i++) await runAll();
    for (const [kind, count, time] of notDue) await insertRows(superuser, organizations, { kind, count, time });
    if (!when.startsWith('cached')) await superuser.query('ANALYZE');
  }, 60_000);
  afterAll(async () => {
    await services.db.close();
    await superuser.end();
    await database.drop();
  });

  async function runAll(): Promise<void> {
    for (const task of Object.values({ ...recovery, ...cleanUp, ...claims })) await task.run(services);
    await services.maintenance.resolveOrphanedDependents(limit);
  }

  interface Counters {
    rows: number;
    scans: Map<string, number>;
  }

  /** Rows and index entries read so far, and scans by index; first flushes the statistics of all three sessions. */
  async function counters(): Promise<Counters> {
    const flush = 'SELECT pg_stat_force_next_flush()';
    for (const sql of [flush, 'SELECT 1']) {
      await services.db.inBatch((tx) => tx.query(sql));
      await services.db.asSystem('flush', (tx) => tx.query(sql));
      // What the insertion of rows has read would otherwise be reported later, in the middle of a task.
      await superuser.query(sql);
    }
    const { rows } = await superuser.query<{ name: string; scans: number; rows: number }>(
      `SELECT indexrelname AS name, idx_scan::int AS scans, idx_tup_read::int AS rows FROM pg_stat_user_indexes
       UNION ALL SELECT relname, 0, seq_tup_read::int FROM pg_stat_user_tables`,
    );
    return {
      rows: rows.reduce((sum, each) => sum + each.rows, 0),
      scans: new Map(rows.map(({ name, scans }) => [name, scans])),
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

    it('find the next deadline', async () => {
      const before = await counters();
      expect(await services.db.asSystem('spec', msUntilNextDeadline)).toEqual(expect.any(Number));
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
