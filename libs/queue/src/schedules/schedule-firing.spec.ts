import { randomUUID } from 'node:crypto';
import type { JobQuota } from '@spooled/contracts';
import type { Database } from '@spooled/data-access';
import { SpooledError } from '@spooled/domain';
import { ManualClock, newJob, unlimited } from '@spooled/testing';
import pg from 'pg';
import type { Effects } from '../step/effects.js';
import { useEngine } from '../testing/job-lifecycle.fixture.js';
import type { BackgroundOptions } from '../step/blocked-tenants.js';
import { type DueSchedule, ScheduleFiring } from './schedule-firing.js';

const fixture = useEngine();
const effects: Effects[] = [];
const [failed, blocked]: [string[], string[]] = [[], []];
const newFiring = (db: Database = fixture.db, more: Partial<BackgroundOptions> = {}) =>
  new ScheduleFiring(db, {
    onEffects: (committed) => effects.push(committed),
    onError: (_, what) => failed.push(what),
    onBlocked: (organizationId) => blocked.push(organizationId),
    ...more,
  });
let firing: ScheduleFiring;
beforeEach(() => {
  for (const told of [effects, failed, blocked]) told.length = 0;
  firing = newFiring();
});

/** A schedule that is due, as a scheduler has read it. */
async function due(
  organizationId: string,
  more: Partial<DueSchedule> & { priority?: number } = {},
): Promise<DueSchedule> {
  const { priority = 0, ...changed } = more;
  const [row] = await fixture.sql<{ id: string; due: string; changed: string }>(
    `INSERT INTO schedules (id, organization_id, name, cron_expression, queue_name, payload_template, next_run_at)
     VALUES ($1, $2, 'nightly', '0 3 * * *', 'reports', '{}', '2020-01-01')
     RETURNING id, next_run_at::text AS due, updated_at::text AS changed`,
    [randomUUID(), organizationId],
  );
  return {
    id: row!.id,
    organizationId,
    name: 'nightly',
    dueAt: row!.due,
    changedAt: row!.changed,
    nextRunAt: '2100-01-01T00:00:00Z',
    job: { ...newJob({ queueName: 'reports', priority }), maxRetries: 1, timeoutSeconds: 60 },
    quota: unlimited,
    ...changed,
  };
}
const runsOf = async ({ id }: DueSchedule) =>
  (
    await fixture.sql<{ status: string; job_id: string | null; error_message: string | null }>(
      'SELECT status, job_id, error_message FROM schedule_runs WHERE schedule_id = $1 ORDER BY started_at',
      [id],
    )
  ).map(({ status, error_message: error }) => [status, error]);
const jobOf = ({ job }: DueSchedule) => (job as { id: string }).id;
const completed = ['completed', null];

describe('the runs of schedules that are due', () => {
  it('MQ-23 are made in one transaction, of those that are still as they were read', async () => {
    const [one, other] = [await due(await fixture.organization()), await due(await fixture.organization())];
    const changed = await due(one.organizationId, { changedAt: '2019-01-01T00:00:00Z' });
    const all = [other, changed, one];
    const run = (of: DueSchedule) => {
      const { id: scheduleId, organizationId } = of;
      return { scheduleId, organizationId, queueName: 'reports', jobId: jobOf(of), error: null };
    };
    expect(await firing.fire(all)).toEqual([run(other), run(one)]);
    expect(await firing.fire(all)).toEqual([]);
    expect([await runsOf(one), await runsOf(other), await runsOf(changed)]).toEqual([[completed], [completed], []]);
    expect(await fixture.job(jobOf(one))).toMatchObject({
      status: 'pending',
      max_retries: 1,
      organization_id: one.organizationId,
    });
    const [made] = await fixture.sql('SELECT created_by FROM jobs WHERE id = $1', [jobOf(one)]);
    expect(made).toEqual({ created_by: `schedule ${one.id} nightly` });
    const next = await fixture.sql('SELECT next_run_at FROM schedules WHERE id = $1', [one.id]);
    expect(next).toEqual([{ next_run_at: new Date(one.nextRunAt!) }]);
    expect(effects).toHaveLength(1);
    const { events, wakeups } = effects[0]!;
    const told = events.map(({ organizationId, events: some }) => [organizationId, some.map(({ type }) => type)]);
    expect(told.sort()).toEqual(
      [one, other].map(({ organizationId }) => [organizationId, ['JobCreated', 'ScheduleTriggered']]).sort(),
    );
    const woken = ({ organizationId }: DueSchedule) => ({ organizationId, queueName: 'reports' });
    expect(wakeups).toEqual(expect.arrayContaining([woken(one), woken(other)]));
    expect([failed, blocked]).toEqual([[], []]);
  });

  it('fail with their reason, while the schedule continues: beyond the plan, and of a job that cannot be made', async () => {
    const quota: JobQuota = { ...unlimited, maxActiveJobs: 0 };
    const refused = await due(await fixture.organization(), { quota });
    const broken = await due(refused.organizationId, { job: { problem: 'no payload', queueName: 'reports' } });
    const made = await due(await fixture.organization());
    const runs = await firing.fire([refused, broken, made]);
    const limit = expect.stringContaining('active_jobs limit reached');
    expect(runs.map(({ jobId, error }) => [jobId, error])).toEqual([
      [null, limit],
      [null, 'no payload'],
      [jobOf(made), null],
    ]);
    expect(await Promise.all([refused, broken, made].map(runsOf))).toEqual([
      [['failed', limit]],
      [['failed', 'no payload']],
      [completed],
    ]);
    expect(effects).toHaveLength(1);
    expect(failed).toEqual([]);
  });

  it('of a job that PostgreSQL rejects fail alone, and are reported', async () => {
    const [before, after] = [await due(await fixture.organization()), await due(await fixture.organization())];
    const rejected = await due(before.organizationId, { priority: 100_000 });
    const runs = await firing.fire([before, rejected, after]);
    expect(runs.map(({ jobId }) => jobId)).toEqual([jobOf(before), null, jobOf(after)]);
    expect(await Promise.all([before, rejected, after].map(runsOf))).toEqual([
      [completed],
      [['failed', 'The database rejected the operation']],
      [completed],
    ]);
    expect(failed).toEqual([`run of schedule ${rejected.id}`]);
  });

  it('BX-03 that cannot be recorded are reported, and hold up no other', async () => {
    const [before, broken, after] = [
      await due(await fixture.organization()),
      await due(await fixture.organization()),
      await due(await fixture.organization()),
    ];
    const rows = 'ALTER TABLE schedules';
    await fixture.sql(
      `${rows} ADD CONSTRAINT broken CHECK (id <> '${broken.id}' OR next_run_at < '2050-01-01') NOT VALID`,
    );
    const runs = await firing.fire([before, broken, after]);
    await fixture.sql(`${rows} DROP CONSTRAINT broken`);
    expect(runs.map(({ jobId }) => jobId)).toEqual([jobOf(before), jobOf(after)]);
    const run = `run of schedule ${broken.id}`;
    expect([failed, blocked, firing.blocked]).toEqual([
      [run, `record of the failed ${run}`],
      [],
      [broken.organizationId],
    ]);
    expect(await firing.fire([broken])).toMatchObject([{ jobId: jobOf(broken) }]);
  });

  it('BX-03 of an organization whose lock an application holds come later, and hold up no other', async () => {
    const quota: JobQuota = { ...unlimited, maxActiveJobs: 9 };
    const held = await due(await fixture.organization(), { quota });
    const [second, free] = [await due(held.organizationId, { quota }), await due(await fixture.organization())];
    const clock = new ManualClock();
    const order: string[] = [];
    firing = newFiring(fixture.db, {
      lockMs: 100,
      clock,
      onEffects: () => order.push('fired'),
      onBlocked: () => order.push('blocked'),
    });
    const holder = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(`SELECT pg_advisory_xact_lock(hashtextextended('jobs:' || $1, 0))`, [held.organizationId]);
      const runs = await firing.fire([held, free, second]);
      expect(runs.map(({ jobId }) => jobId)).toEqual([jobOf(free)]);
      expect([firing.blocked, order, failed]).toEqual([[held.organizationId], ['blocked', 'fired'], []]);
      // Then they come after the others.
      await clock.advance(5_000);
      const later = await due(free.organizationId);
      order.length = 0;
      expect(await firing.fire([held, later])).toHaveLength(1);
      expect(order).toEqual(['fired', 'blocked']);
    } finally {
      await holder.end();
    }
    expect(await firing.fire([held, second])).toHaveLength(2);
  });

  it('wait while PostgreSQL is away, and are not tried one by one', async () => {
    let tried = 0;
    const away = new SpooledError('SERVICE_UNAVAILABLE', 'PostgreSQL is unavailable');
    const asSystem = () => {
      tried++;
      return Promise.reject(away);
    };
    const db = { asSystem } as unknown as Database;
    const schedule = await due(await fixture.organization());
    await expect(newFiring(db).fire([schedule, schedule])).rejects.toBe(away);
    expect([tried, failed]).toEqual([1, []]);
    expect(await newFiring(db).fire([])).toEqual([]);
    expect(tried).toBe(1);
    // Also while a failed run is recorded.
    const errors = [new Error('rejected'), away];
    const falling = { asSystem: () => Promise.reject(errors.shift()!) } as unknown as Database;
    await expect(newFiring(falling).fire([schedule])).rejects.toBe(away);
    expect(failed).toEqual([`run of schedule ${schedule.id}`]);
  });
});
