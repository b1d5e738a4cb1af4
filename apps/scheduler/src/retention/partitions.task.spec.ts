import { randomUUID } from 'node:crypto';
import type { Database } from '@spooled/data-access';
import { type AppLogger, createLogger } from '@spooled/platform';
import { useDatabase, useConnections } from '@spooled/testing';
import pg from 'pg';
import { addRowsAbout, expectRowsAbout } from './job-rows.fixture.js';
import { PlanPages } from './plan-pages.js';
import { PartitionsTask } from './partitions.task.js';

const database = useDatabase();
const db = useConnections(database, { maxConnections: 2 });
let task: PartitionsTask;
let parts: { plans: PlanPages; logger: AppLogger };
const retention = { OFFLINE_WORKER_RETENTION_DAYS: 7 };
const org = randomUUID();
const running = new AbortController().signal;

beforeAll(async () => {
  parts = { plans: new PlanPages(db, {}), logger: createLogger({ service: 'spec', level: 'silent' }) };
  task = new PartitionsTask(db, parts.plans, parts.logger, retention);
  await db.withTenant(org, (tx) =>
    tx.query(`INSERT INTO organizations (id, name, slug, plan_tier) VALUES ($1, 'Spec', 'spec', 'free')`, [org]),
  );
});

/** A job whose id comes from a clock that is `days` off (negative = behind), and that ended `ended` days ago. */
async function job(name: string, days: number, outcome: string | null, ended: number | null = null): Promise<string> {
  const [row] = await db.withTenant(org, (tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO jobs (id, organization_id, created_at, updated_at, completed_at, outcome, timeout_seconds, priority, max_retries,
         queue_name, payload)
       VALUES (uuidv7(make_interval(days => $2)), $1, now(), now(), now() - make_interval(days => $4), $3, 300, 0, 3, $5, '{}')
       RETURNING id`,
      [org, days, outcome, ended, name],
    ),
  );
  await db.withTenant(org, (tx) => addRowsAbout(tx, row!.id, name));
  return row!.id;
}

/** Steps that completed long ago, of a workflow with each of these statuses. */
async function steps<Name extends string>(statuses: Record<Name, string>): Promise<Record<Name, string>> {
  const ids = {} as Record<Name, string>;
  for (const [name, status] of Object.entries<string>(statuses)) {
    const id = await job(name, -140, 'completed', 130);
    await db.withTenant(org, (tx) =>
      tx.query(
        `WITH flow AS (
           INSERT INTO workflows (id, organization_id, name, status, total_jobs) VALUES (uuidv7(), $1, 'flow', $2, 2) RETURNING id
         ) UPDATE jobs SET workflow_id = flow.id FROM flow WHERE jobs.id = $3`,
        [org, status, id],
      ),
    );
    ids[name as Name] = id;
  }
  return ids;
}

/** The table of a job's row; undefined when it is deleted. */
async function tableOf(id: string): Promise<string | undefined> {
  const [row] = await db.withTenant(org, (tx) =>
    tx.query<{ table_name: string }>('SELECT tableoid::regclass::text AS table_name FROM jobs WHERE id = $1', [id]),
  );
  return row?.table_name;
}

const weeks = async (table: string): Promise<string[]> => {
  const rows = await db.asSystem('spec', (tx) =>
    tx.query<{ week: string }>('SELECT list_partitions_v1($1) AS week', [table]),
  );
  return rows.map(({ week }) => week);
};

/** The week `ago` weeks before this one. */
async function attachWeek(ago: number): Promise<string> {
  const [row] = await db.asSystem('spec', (tx) =>
    tx.query<{ week: string }>(`SELECT date_trunc('week', now() AT TIME ZONE 'UTC')::date - $1::int * 7 AS week`, [
      ago,
    ]),
  );
  for (const table of ['jobs', 'job_history']) {
    await db.asSystem('spec', async (tx) => {
      await tx.query('SELECT create_partition_v1($1, $2)', [table, row!.week]);
      await tx.query('SELECT attach_partition_v1($1, $2)', [table, row!.week]);
    });
  }
  return row!.week;
}

/**
 * Runs the task until no partition is left to its next run. It leaves those that are locked, and autovacuum may lock one with many new
 * rows at any time.
 */
async function runAll(connections: Database = db): Promise<void> {
  let hasLeft = true;
  while (hasLeft) {
    hasLeft = false;
    const logger = Object.assign(Object.create(parts.logger) as AppLogger, { warn: () => void (hasLeft = true) });
    await new PartitionsTask(connections, parts.plans, logger, retention).run(running);
  }
}

/** Runs the task while a transaction holds a lock, as one of an application may for as long as it likes. */
async function runBeside(lock: string, parameters: unknown[]): Promise<void> {
  const holder = new pg.Client({ connectionString: database.superuserUrl });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(lock, parameters);
    await task.run(running);
    await holder.query('ROLLBACK');
  } finally {
    await holder.end();
  }
}

describe('partitions', () => {
  it('SP-64 exist five weeks ahead, and take over rows that a fast clock put into the default partition', async () => {
    const early = await job('early', 35, null);
    const absurd = await job('absurd', 3_650, null);
    expect(await tableOf(early)).toBe('jobs_other');
    await runAll();
    const newest = (await weeks('jobs')).at(-1)!;
    expect(await weeks('job_history')).toEqual(await weeks('jobs'));
    expect(await tableOf(early)).toBe(`jobs_p${newest.replaceAll('-', '')}`);
    expect(await tableOf(absurd)).toBe('jobs_other');
    expect(await task.run(running)).toBe(0);
  });

  it('BX-01 isolate tenants like their parent table', async () => {
    const rows = await db.withTenant(randomUUID(), async (tx) => {
      const names = await tx.query<{ name: string }>(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'jobs'::regclass`,
      );
      return Promise.all(names.map(({ name }) => tx.query(`SELECT id FROM ${name}`)));
    });
    expect(rows.length).toBeGreaterThan(6);
    expect(rows.flat()).toEqual([]);
  });

  it('SP-36 SP-64 are dropped when older than every retention, except live, dead-lettered and recently ended jobs and steps of open workflows', async () => {
    const past = await attachWeek(20);
    const ids = {
      done: await job('done', -140, 'completed', 130),
      dead: await job('dead', -140, 'deadletter'),
      alive: await job('alive', -140, null),
      lately: await job('lately', -140, 'completed', 1),
      ...(await steps({ open: 'running', over: 'completed' })),
    };
    expect(await tableOf(ids.done)).toBe(`jobs_p${past.replaceAll('-', '')}`);
    await runAll();
    expect([await weeks('jobs'), await weeks('job_history')].flat()).not.toContain(past);
    expect(await Promise.all([ids.done, ids.over].map(tableOf))).toEqual([undefined, undefined]);
    expect(await Promise.all([ids.dead, ids.alive, ids.lately, ids.open].map(tableOf))).toEqual(
      Array(4).fill('jobs_other'),
    );
    await db.withTenant(org, async (tx) => {
      const left = await tx.query<{ id: string }>('SELECT id FROM jobs');
      await expectRowsAbout(
        tx,
        left.map(({ id }) => id),
      );
    });
  });

  it('BX-03 SP-36 are left to the next run while another transaction holds what is kept about one of their jobs; the others are dropped', async () => {
    const [first, second] = [await attachWeek(22), await attachWeek(21)];
    const id = await job('held', -154, 'completed', 150);
    expect(await tableOf(id)).toBe(`jobs_p${first.replaceAll('-', '')}`);
    await runBeside('SELECT FROM idempotency_keys WHERE job_id = $1 FOR UPDATE', [id]);
    const left = [await weeks('jobs'), await weeks('job_history')].map((all) =>
      all.filter((week) => [first, second].includes(week)),
    );
    expect(left).toEqual([[first], []]);
    await runAll();
    expect(await weeks('jobs')).not.toContain(first);
  });

  it('decide about the jobs of a week without a call for each', async () => {
    const plan = await db.withTenant(org, (tx) =>
      tx.query(
        `EXPLAIN (VERBOSE) SELECT FROM jobs
         WHERE is_job_kept_v1(outcome, completed_at, EXISTS (SELECT FROM workflows w WHERE w.id = workflow_id), 30)`,
      ),
    );
    expect(JSON.stringify(plan)).toContain('completed_at >=');
    expect(JSON.stringify(plan)).not.toContain('is_job_kept_v1');
  });

  describe('with many jobs to keep', () => {
    /** Finished jobs of a week long ago, and dead letters among them. In the middle of it, so that all are within it. */
    async function fill(week: string, finished: number, dead: number): Promise<void> {
      await db.withTenant(org, (tx) =>
        tx.query(
          `INSERT INTO jobs (id, organization_id, created_at, updated_at, completed_at, outcome, timeout_seconds, priority, max_retries,
             queue_name, payload)
           SELECT uuidv7(($4::date + interval '3 days') AT TIME ZONE 'UTC' - now() + make_interval(secs => n)), $1,
             now(), now(), now() - interval '270 days',
             CASE WHEN n <= $2 THEN 'completed' ELSE 'deadletter' END::job_status, 300, 0, 3, 'many', to_json(repeat('x', 500))
           FROM generate_series(1, $2::int + $3::int) n`,
          [org, finished, dead, week],
        ),
      );
    }

    const stored = async (where: string) => {
      const sql = `SELECT count(*)::int AS n FROM jobs WHERE queue_name = 'many' AND ${where}`;
      return (await db.withTenant(org, (tx) => tx.query<{ n: number }>(sql)))[0]!.n;
    };

    it('SP-64 are compacted while jobs change, keep what changed, and lock the table only for the exchange', async () => {
      const week = await attachWeek(40);
      const partition = `jobs_p${week.replaceAll('-', '')}`;
      await fill(week, 20_000, 1_200);
      expect(await stored(`tableoid = '${partition}'::regclass`)).toBe(21_200);
      const size = () =>
        db.asSystem('spec', (tx) => tx.query<{ bytes: number }>(`SELECT pg_relation_size('${partition}') AS bytes`));
      const [before] = await size();

      const [first, second] = await db.withTenant(org, (tx) =>
        tx.query<{ id: string }>(
          `SELECT id FROM jobs WHERE queue_name = 'many' AND outcome = 'deadletter' ORDER BY id LIMIT 2`,
        ),
      );
      // It waits for none of them, with locks for which others would wait.
      await runBeside('SELECT FROM jobs WHERE id = $1 FOR UPDATE', [first!.id]);
      // Changes between the steps, as workers and callers make them.
      const asSystem = db.asSystem.bind(db);
      let steps = 0;
      const changing = Object.assign(Object.create(db) as Database, {
        asSystem: async (...parameters: Parameters<Database['asSystem']>) => {
          const value = await asSystem(...parameters);
          if (parameters[0] === 'plan a past week') steps = 0;
          if (parameters[0] === 'compact a partition' && ++steps === 2) {
            await db.withTenant(org, async (tx) => {
              await tx.query(`UPDATE jobs SET outcome = NULL, priority = 7 WHERE id = $1`, [first!.id]);
              await tx.query(`DELETE FROM jobs WHERE id = $1`, [second!.id]);
            });
          }
          return value;
        },
      });
      await runAll(changing);

      expect(steps).toBeGreaterThan(3);
      expect(await stored('true')).toBe(1_199);
      expect(await stored('priority = 7 AND outcome IS NULL')).toBe(1);
      expect(await weeks('jobs')).toContain(week);
      expect((await size())[0]!.bytes).toBeLessThan(before!.bytes / 4);
      // Isolated as before, and nothing is left to do.
      expect(await db.withTenant(randomUUID(), (tx) => tx.query(`SELECT FROM ${partition}`))).toEqual([]);
      expect(await task.run(running)).toBe(0);
    });
  });
});
