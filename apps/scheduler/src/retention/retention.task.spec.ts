import { randomUUID } from 'node:crypto';
import { deleteExpiredRecords } from '@spooled/data-access';
import { parsePlanOverrides, type PlanOverrides } from '@spooled/domain';
import { createLogger } from '@spooled/platform';
import { ManualClock, useDatabase, useConnections } from '@spooled/testing';
import pg from 'pg';
import type { RetentionSettings } from '../scheduler.config.js';
import { addRowsAbout, expectRowsAbout, keptAboutJobs } from './job-rows.fixture.js';
import { PlanPages } from './plan-pages.js';
import { RetentionTask } from './retention.task.js';

const database = useDatabase();
const db = useConnections(database, { maxConnections: 2 });
const clock = new ManualClock();
const running = new AbortController().signal;

async function organization(tier: string, customLimits: object | null = null): Promise<string> {
  const id = randomUUID();
  await db.withTenant(id, (tx) =>
    tx.query('INSERT INTO organizations (id, name, slug, plan_tier, custom_limits) VALUES ($1, $2, $2, $3, $4)', [
      id,
      id,
      tier,
      customLimits,
    ]),
  );
  return id;
}

interface Finished {
  created: number;
  ended?: number;
  outcome: 'completed' | 'cancelled' | 'deadletter' | null;
}

/** A job with an idempotency key, a row of each table about jobs, and an age in days; `ended` days ago if it has ended. */
async function job(org: string, key: string, { created, ended, outcome }: Finished): Promise<void> {
  await db.withTenant(org, async (tx) => {
    const [row] = await tx.query<{ id: string }>(
      `INSERT INTO jobs (id, organization_id, created_at, updated_at, completed_at, outcome, timeout_seconds, priority, max_retries,
         queue_name, idempotency_key, payload)
       SELECT uuidv7(-d), $1, now() - d, now() - d, now() - make_interval(days => $4), $3, 300, 0, 3, 'emails', $5, '{}'
       FROM make_interval(days => $2) AS d RETURNING id`,
      [org, created, outcome, ended ?? null, key],
    );
    const id = row!.id;
    await addRowsAbout(tx, id, key);
    if (outcome === 'deadletter') {
      await tx.query(
        `INSERT INTO dead_letters (job_id, organization_id, queue_name, created_at, dead_at, job_type, group_id)
         SELECT id, organization_id, queue_name, created_at, now() - make_interval(days => $2), job_type, id FROM jobs WHERE id = $1`,
        [id, ended ?? 0],
      );
    }
    if (outcome === null) {
      await tx.query(
        `INSERT INTO job_queue (job_id, organization_id, created_at, state, priority, max_retries, queue_name)
         SELECT id, organization_id, created_at, 'ready', 0, 3, queue_name FROM jobs WHERE id = $1`,
        [id],
      );
    }
    await tx.query(
      `INSERT INTO job_history (organization_id, job_id, at, event) VALUES ($1, $2, now() - make_interval(days => $3), 'failed')`,
      [org, id, created],
    );
  });
}

/** The keys of the jobs that are left, which have all their rows in the other tables; nothing there is of other jobs. */
const keysOf = (org: string) =>
  db.withTenant(org, async (tx) => {
    const jobs = await tx.query<{ id: string; key: string }>('SELECT id, idempotency_key AS key FROM jobs ORDER BY 2');
    await expectRowsAbout(
      tx,
      jobs.map(({ id }) => id),
    );
    return jobs.map(({ key }) => key);
  });

const defaults = { OFFLINE_WORKER_RETENTION_DAYS: 7 };
const log: string[] = [];
const logger = createLogger({ service: 'spec', destination: { write: (line) => void log.push(line) } });
const newTask = (overrides: PlanOverrides = {}, settings: Partial<RetentionSettings> = {}) =>
  new RetentionTask(db, new PlanPages(db, overrides), { ...defaults, ...settings }, clock, logger);
const sweep = (...of: Parameters<typeof newTask>) => newTask(...of).run(running);
/** Of all organizations. */
const leftOfDeletedJobs = async () => {
  const tables = ['dead_letters', ...keptAboutJobs];
  const rowsIn = (table: string) =>
    db.asSystem('spec', (tx) =>
      tx.query(`SELECT '${table}' AS table FROM ${table} WHERE job_id NOT IN (SELECT id FROM jobs)`),
    );
  return (await Promise.all(tables.map(rowsIn))).flat();
};

describe('retention', () => {
  it('SP-09 SP-36 MQ-26 MQ-30 deletes jobs that ended before the retention of the plan, never live ones', async () => {
    const free = await organization('free');
    await job(free, 'old completed', { created: 9, ended: 4, outcome: 'completed' });
    await job(free, 'old cancelled', { created: 9, ended: 4, outcome: 'cancelled' });
    await job(free, 'ended lately', { created: 9, ended: 2, outcome: 'completed' });
    await job(free, 'dead', { created: 400, outcome: 'deadletter' });
    await job(free, 'alive', { created: 400, outcome: null });
    const enterprise = await organization('enterprise');
    await job(enterprise, 'old completed', { created: 9, ended: 4, outcome: 'completed' });

    await sweep();
    expect(await keysOf(free)).toEqual(['alive', 'dead', 'ended lately']);
    expect(await keysOf(enterprise)).toEqual(['old completed']);
    expect(await leftOfDeletedJobs()).toEqual([]);
  });

  it('MQ-26 deletes dead letters by the period of their own organization, the oldest first, and marks what needed them', async () => {
    const [free, other] = [await organization('free'), await organization('enterprise')];
    await job(free, 'second', { created: 90, ended: 50, outcome: 'deadletter' });
    await job(free, 'first', { created: 80, ended: 60, outcome: 'deadletter' });
    await job(free, 'waiting', { created: 70, outcome: null });
    await job(other, 'kept', { created: 80, ended: 60, outcome: 'deadletter' });
    await db.withTenant(free, (tx) =>
      tx.query(
        `UPDATE job_dependencies e SET depends_on_job_id = p.id FROM jobs c, jobs p
         WHERE c.id = e.job_id AND c.idempotency_key = 'waiting' AND p.idempotency_key = 'first'`,
      ),
    );
    const periods = [free, other].map((organizationId, n) => ({ organizationId, days: n === 0 ? 30 : 365 }));
    const batch = { limit: 1, lookBackSeconds: null };
    const left = async () => [
      await keysOf(free),
      await keysOf(other),
      await db.withTenant(free, (tx) => tx.query('SELECT cancelled_child AS marked FROM job_dependencies ORDER BY 1')),
    ];
    const remove = () => db.asSystem('spec', (tx) => deleteExpiredRecords(tx, 'deadLetters', periods, batch));
    const marked = [{ marked: false }, { marked: true }];
    expect([await remove(), await left()]).toEqual([1, [['second', 'waiting'], ['kept'], marked]]);
    expect([await remove(), await left()]).toEqual([1, [['waiting'], ['kept'], marked.slice(1)]]);
    expect(await remove()).toBe(0);
  });

  it('SP-09 SP-49 keeps the steps of a workflow until it has ended, because they decide how it ends', async () => {
    const org = await organization('starter');
    for (const status of ['running', 'completed']) {
      await job(org, status, { created: 40, ended: 30, outcome: 'completed' });
      await db.withTenant(org, (tx) =>
        tx.query(
          `WITH flow AS (
             INSERT INTO workflows (id, organization_id, name, status, total_jobs) VALUES (uuidv7(), $1, 'flow', $2, 1) RETURNING id
           ) UPDATE jobs SET workflow_id = flow.id FROM flow WHERE idempotency_key = $2`,
          [org, status],
        ),
      );
    }
    await sweep();
    expect(await keysOf(org)).toEqual(['running']);
    await db.withTenant(org, (tx) => tx.query(`UPDATE workflows SET status = 'completed'`));
    await sweep();
    expect(await keysOf(org)).toEqual([]);
  });

  // As a retry of its workflow does, or an application that adds a job with the same key in its transaction.
  it.each(['completed', 'deadletter'] as const)(
    'SP-36 does not wait for a %s job that another transaction holds, and deletes it later',
    async (outcome) => {
      const org = await organization('free');
      for (const key of ['free', 'held']) await job(org, key, { created: 40, ended: 40, outcome });
      const holder = new pg.Client({ connectionString: database.superuserUrl });
      await holder.connect();
      try {
        await holder.query('BEGIN');
        await holder.query(`SELECT FROM jobs WHERE organization_id = $1 AND idempotency_key = 'held' FOR UPDATE`, [
          org,
        ]);
        await sweep();
        await holder.query('COMMIT');
      } finally {
        await holder.end();
      }
      expect(await keysOf(org)).toEqual(['held']);
      await sweep();
      expect(await keysOf(org)).toEqual([]);
    },
  );

  it('BX-03 SP-36 leaves what is locked of one organization to a later run, and deletes that of the others', async () => {
    const orgs = [await organization('free'), await organization('free'), await organization('free')];
    for (const org of orgs) await job(org, 'old', { created: 9, ended: 4, outcome: 'completed' });
    const held = orgs[1]!;
    const holder = new pg.Client({ connectionString: database.superuserUrl });
    await holder.connect();
    log.length = 0;
    const task = newTask();
    task.lockMs = 50;
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM idempotency_keys WHERE organization_id = $1 FOR UPDATE', [held]);
      await task.run(running);
      await holder.query('ROLLBACK');
    } finally {
      await holder.end();
    }
    expect(await Promise.all(orgs.map(keysOf))).toEqual([[], ['old'], []]);
    expect(log.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ organizationId: held, kind: 'finishedJobs' }),
    ]);
    await sweep();
    expect(await keysOf(held)).toEqual([]);
  });

  it('SP-36 looks for jobs that have become old since the last run, and once a day for all of them', async () => {
    const free = await organization('free');
    const task = newTask();
    const finish = (key: string) =>
      db.withTenant(free, (tx) =>
        tx.query(
          `WITH ended AS (
             UPDATE jobs SET outcome = 'completed', completed_at = now() - interval '4 days' WHERE idempotency_key = $1 RETURNING id
           ) DELETE FROM dead_letters d USING ended WHERE d.job_id = ended.id`,
          [key],
        ),
      );
    await job(free, 'young', { created: 3, outcome: 'deadletter' });
    await job(free, 'long', { created: 9, outcome: 'deadletter' });
    await task.run(running);
    await finish('young');
    await finish('long');
    await task.run(running);
    expect(await keysOf(free)).toEqual(['long']);

    await clock.advance(25 * 3600_000);
    await task.run(running);
    expect(await keysOf(free)).toEqual([]);
  });

  it('PB-23 MQ-26 MQ-30 deletes dead letters after the retention of the plan, with everything that is kept about them', async () => {
    const free = await organization('free');
    await job(free, 'dead for long', { created: 40, ended: 31, outcome: 'deadletter' });
    await job(free, 'dead lately', { created: 40, ended: 29, outcome: 'deadletter' });
    await sweep();
    expect(await keysOf(free)).toEqual(['dead lately']);
    expect(await leftOfDeletedJobs()).toEqual([]);
    expect(await db.withTenant(free, (tx) => tx.query('SELECT job_id FROM dead_letters'))).toHaveLength(1);
  });

  it('MQ-31 keeps nothing longer than the operator allows, and never longer than the plan', async () => {
    const org = await organization('enterprise');
    await job(org, 'completed', { created: 9, ended: 6, outcome: 'completed' });
    await job(org, 'dead', { created: 9, ended: 6, outcome: 'deadletter' });
    await sweep({}, { JOB_RETENTION_DAYS: 7, DEAD_LETTER_RETENTION_DAYS: 7 });
    expect(await keysOf(org)).toEqual(['completed', 'dead']);
    await sweep({}, { JOB_RETENTION_DAYS: 5 });
    expect(await keysOf(org)).toEqual(['dead']);
    await sweep({}, { DEAD_LETTER_RETENTION_DAYS: 5 });
    expect(await keysOf(org)).toEqual([]);

    const free = await organization('free');
    await job(free, 'completed', { created: 9, ended: 6, outcome: 'completed' });
    await sweep({}, { JOB_RETENTION_DAYS: 36_500 });
    expect(await keysOf(free)).toEqual([]);
  });

  it('MQ-31 deletes workers that have been offline for long, and no others', async () => {
    const org = await organization('free');
    for (const [id, status, days] of [
      ['gone', 'offline', 8],
      ['offline', 'offline', 6],
      ['degraded', 'degraded', 8],
    ] as const) {
      await db.withTenant(org, (tx) =>
        tx.query(
          `INSERT INTO workers (id, organization_id, queue_name, hostname, status, last_heartbeat, updated_at)
           SELECT $2, $1, 'emails', 'host', $3, now() - d, now() - d FROM make_interval(days => $4) AS d`,
          [org, id, status, days],
        ),
      );
    }
    await sweep();
    expect(await db.withTenant(org, (tx) => tx.query('SELECT id FROM workers ORDER BY id'))).toEqual([
      { id: 'degraded' },
      { id: 'offline' },
    ]);
  });

  it('PB-23 honours overrides of plans and the limits of one organization', async () => {
    const tuned = await organization('free', { job_retention_days: 30 });
    const plain = await organization('free');
    for (const org of [tuned, plain]) await job(org, 'twelve', { created: 12, ended: 12, outcome: 'completed' });
    await sweep(parsePlanOverrides({ SPOOLED_PLAN_FREE_JOB_RETENTION_DAYS: '20' }));
    expect(await keysOf(plain)).toEqual(['twelve']);
    await sweep(parsePlanOverrides({ SPOOLED_PLAN_FREE_JOB_RETENTION_DAYS: 'unlimited' }));
    expect(await keysOf(plain)).toEqual(['twelve']);
    await sweep();
    expect([await keysOf(plain), await keysOf(tuned)]).toEqual([[], ['twelve']]);
  });

  it('SP-36 deletes history, deliveries, workflows and batches by age, and keeps pending ones and those with jobs', async () => {
    const org = await organization('free');
    await job(org, 'dead', { created: 9, outcome: 'deadletter' });
    await db.withTenant(org, async (tx) => {
      for (const [status, days] of [
        ['success', 2],
        ['pending', 2],
        ['failed', 0],
      ] as const) {
        await tx.query(
          `INSERT INTO webhook_deliveries (organization_id, event, payload, status, created_at, next_attempt_at)
           VALUES ($1, 'job.created', '{}', $2, now() - make_interval(days => $3), CASE $2 WHEN 'pending' THEN now() END)`,
          [org, status, days],
        );
      }
      for (const days of [2, 0]) {
        await tx.query(
          `INSERT INTO inbound_deliveries (id, organization_id, provider, event_type, matched_queue, job_id, status, created_at)
           VALUES (uuidv7(), $1, 'custom', $2::text, 'q', uuidv7(), 'created', now() - make_interval(days => $2::text::int))`,
          [org, String(days)],
        );
      }
      await tx.query(
        `INSERT INTO inbound_refusals (organization_id, provider, event_type, code, reason, address, calls, created_at)
         SELECT $1, 'custom', days::text, 'X', 'x', 'x', 1, now() - make_interval(days => days) FROM unnest('{2,0}'::int[]) AS days`,
        [org],
      );
      for (const name of ['empty', 'with a dead letter']) {
        await tx.query(
          `INSERT INTO workflows (id, organization_id, name, status, total_jobs, created_at, completed_at)
           VALUES (uuidv7(), $1, $2, 'failed', 1, now() - interval '9 days', now() - interval '9 days')`,
          [org, name],
        );
      }
      for (const name of ['empty', 'with a dead letter']) {
        await tx.query(
          `INSERT INTO batches (id, organization_id, name, status, callbacks, created_at, completed_at)
           VALUES (uuidv7(), $1, $2, 'completed', '{}', now() - interval '9 days', now() - interval '9 days')`,
          [org, name],
        );
      }
      await tx.query(
        `INSERT INTO batch_jobs (organization_id, batch_id, job_id, outcome)
         SELECT $1, b.id, CASE b.name WHEN 'empty' THEN uuidv7('-9 days') ELSE j.id END, 'deadletter' FROM batches b, jobs j`,
        [org],
      );
      await tx.query(
        `INSERT INTO workflow_jobs (organization_id, workflow_id, job_id, key)
         SELECT $1, w.id, j.id, 'step' FROM workflows w, jobs j WHERE w.name = 'with a dead letter'`,
        [org],
      );
    });

    await sweep();
    const left = await db.withTenant(org, async (tx) => ({
      deliveries: await tx.query('SELECT status FROM webhook_deliveries ORDER BY status'),
      inbound: await tx.query('SELECT event_type FROM inbound_deliveries'),
      refused: await tx.query('SELECT event_type FROM inbound_refusals'),
      workflows: await tx.query('SELECT name FROM workflows'),
      batches: await tx.query('SELECT name FROM batches'),
      history: await tx.query('SELECT event FROM job_history'),
    }));
    expect(left).toEqual({
      deliveries: [{ status: 'failed' }, { status: 'pending' }],
      inbound: [{ event_type: '0' }],
      refused: [{ event_type: '0' }],
      workflows: [{ name: 'with a dead letter' }],
      batches: [{ name: 'with a dead letter' }],
      history: [{ event: 'failed' }],
    });
  });
});
