import { randomUUID } from 'node:crypto';
import type { EventEnvelope } from '@spooled/contracts';
import { Database } from '@spooled/data-access';
import { CronTask } from '@spooled/service';
import { createTenant, eventually, fromNow, msUntil, type TestTenantOptions, useSuperuser } from '@spooled/testing';
import { QueueSignals, RedisEventSubscriber } from '@spooled/transport';
import { silent, useIdleScheduler, useSchedulers } from '../scheduler.fixture.js';

const { database, schedulers } = useSchedulers();
const superuser = useSuperuser(database);
// Manually run tasks need no Redis.
const idle = useIdleScheduler(database);
const past = '2020-01-01T00:00:00Z';

// A remaining schedule would fire in the next test.
afterEach(async () => {
  idle.app.get(Database).asSystem = Database.prototype.asSystem;
  await sql('DELETE FROM schedules');
});

const sql = async (text: string, parameters: unknown[] = []) => (await superuser.query(text, parameters)).rows;

const startIdle = () => schedulers.start({ idle: true, redisUrl: undefined });
const tenant = async (options?: TestTenantOptions) =>
  (await createTenant(database.superuserUrl, options)).organizationId;

async function schedule(org: string, more: Record<string, unknown> = {}): Promise<string> {
  const row = {
    id: randomUUID(),
    organization_id: org,
    name: 'nightly',
    cron_expression: '0 3 * * *',
    queue_name: 'reports',
    payload_template: '{"job_type":"report",  "n":1}',
    next_run_at: past,
    ...more,
  };
  const names = Object.keys(row);
  const placeholders = names.map((_, i) => `$${i + 1}`);
  await sql(`INSERT INTO schedules (${names.join()}) VALUES (${placeholders.join()})`, Object.values(row));
  return row.id;
}

const runsOf = (id: string) => sql('SELECT * FROM schedule_runs WHERE schedule_id = $1 ORDER BY started_at', [id]);
const jobsOf = (org: string) =>
  sql('SELECT *, payload::text AS payload FROM job_records WHERE organization_id = $1', [org]);
const stateOf = async (id: string) => (await sql('SELECT * FROM schedules WHERE id = $1', [id]))[0];

async function runsCounted(outcome: string): Promise<number> {
  const counter = new RegExp(`spooled_schedule_runs_total{outcome="${outcome}"} (\\d+)`);
  return Number(counter.exec(await idle.service.metrics.text())?.[1] ?? 0);
}

async function delaysCounted(): Promise<number> {
  return Number(/spooled_schedule_delay_seconds_sum (\S+)/.exec(await idle.service.metrics.text())?.[1]);
}

type Gate = <T>(fire: () => Promise<T>) => Promise<T>;

/** Awaits `gate` between finding due schedules and firing them. */
function beforeFiring(db: Database, gate: Gate): void {
  const { asSystem } = Database.prototype;
  db.asSystem = (reason, work) => {
    const proceed = () => asSystem.call(db, reason, work) as ReturnType<typeof work>;
    return reason === 'fire schedules' ? gate(proceed) : proceed();
  };
}

/** Lets `count` schedulers fire only when all have found the due schedules: concurrently or one after the other. */
function meeting(count: number, inTurn: boolean): Gate {
  let missing = count;
  let open: () => void;
  const complete = new Promise<void>((resolve) => (open = resolve));
  let last: Promise<unknown> = complete;
  return async (fire) => {
    if (--missing === 0) open();
    await complete;
    if (!inTurn) return fire();
    const own = last.then(fire);
    last = own;
    return own;
  };
}

describe('firing schedules', () => {
  it('MQ-24 MQ-25 creates the job that the schedule defines, in a queue that need not exist, and records the run', async () => {
    const org = await tenant();
    const id = await schedule(org, { priority: 7, max_retries: 1, timeout_seconds: 42, tags: '{"team":"ops"}' });
    const { app } = idle;
    const before = await runsCounted('completed');
    const delayBefore = await delaysCounted();
    expect(await app.get(CronTask).run()).toBe(1);
    expect((await delaysCounted()) - delayBefore).toBeCloseTo(-msUntil(past) / 1_000, -3);

    const [job, ...others] = await jobsOf(org);
    expect(others).toEqual([]);
    expect(job).toMatchObject({
      queue_name: 'reports',
      status: 'pending',
      payload: '{"job_type":"report",  "n":1}',
      job_type: 'report',
      priority: 7,
      max_retries: 1,
      timeout_seconds: 42,
      tags: { team: 'ops' },
    });
    expect(await runsOf(id)).toMatchObject([{ status: 'completed', job_id: job!.id, error_message: null }]);
    expect(await stateOf(id)).toMatchObject({ run_count: 1, last_run_at: expect.any(Date) });
    expect(await sql('SELECT queue_name FROM queues WHERE organization_id = $1', [org])).toEqual([
      { queue_name: 'reports' },
    ]);
    expect(await runsCounted('completed')).toBe(before + 1);
  });

  it('MQ-22 makes up for any number of missed times with one run, and continues in the future', async () => {
    const id = await schedule(await tenant(), { cron_expression: '0 3 * * *', timezone: '+05:30' });
    const { app } = idle;
    expect(await app.get(CronTask).run()).toBe(1);
    expect(await app.get(CronTask).run()).toBe(0);
    expect(await runsOf(id)).toHaveLength(1);
    const { next_run_at: next } = await stateOf(id);
    expect(msUntil(next)).toBeGreaterThan(0);
    expect(next.toISOString()).toMatch(/T21:30:00\.000Z$/);
  });

  it('MQ-23 fires each due time once, however many schedulers have found it due', async () => {
    const org = await tenant();
    const ids = await Promise.all(Array.from({ length: 20 }, () => schedule(org)));
    const apps = (await Promise.all([1, 2, 3].map(() => startIdle()))).map(({ app }) => app);
    for (const order of ['at once', 'in turn', 'at once', 'in turn']) {
      await sql('UPDATE schedules SET next_run_at = $1', [past]);
      const fire = meeting(apps.length, order === 'in turn');
      for (const app of apps) beforeFiring(app.get(Database), fire);
      // Without the advisory lock: the compare-and-swap alone must suffice.
      const fired = await Promise.all(apps.map((app) => app.get(CronTask).run()));
      expect([order, fired.reduce((sum, each) => sum + each)]).toEqual([order, 20]);
    }
    const counts = await sql(
      'SELECT count(DISTINCT job_id)::int AS jobs FROM schedule_runs WHERE schedule_id = ANY ($1) GROUP BY schedule_id',
      [ids],
    );
    expect(counts).toEqual(ids.map(() => ({ jobs: 4 })));
    expect(await jobsOf(org)).toHaveLength(80);
  });

  it('MQ-23 does not fire a schedule that was paused, moved or changed after it was read', async () => {
    const org = await tenant();
    const id = await schedule(org);
    const { app } = idle;
    for (const change of ['is_active = false', `next_run_at = '2099-01-01'`, `queue_name = 'x', updated_at = now()`]) {
      await sql(`UPDATE schedules SET is_active = true, next_run_at = $1`, [past]);
      beforeFiring(app.get(Database), async (fire) => {
        await sql(`UPDATE schedules SET ${change}`);
        return fire();
      });
      expect(await app.get(CronTask).run()).toBe(0);
    }
    expect(await runsOf(id)).toEqual([]);
    expect(await jobsOf(org)).toEqual([]);
  });

  it('gives each schedule its own next time, also those that were changed and are due at the same moment', async () => {
    const org = await tenant();
    const hours = [3, 4, 5];
    const same = { updated_at: past, next_run_at: past };
    const ids = await Promise.all(hours.map((hour) => schedule(org, { ...same, cron_expression: `0 ${hour} * * *` })));
    const { app } = idle;
    expect(await app.get(CronTask).run()).toBe(3);
    const next = await Promise.all(ids.map(async (id) => (await stateOf(id)).next_run_at.getUTCHours()));
    expect(next).toEqual(hours);
  });

  it('MQ-23 leaves a schedule that somebody else is changing for later, and does not wait for it', async () => {
    const org = await tenant();
    const [busy, free] = [await schedule(org), await schedule(org)];
    const { app } = idle;
    await sql('BEGIN');
    try {
      await sql('SELECT FROM schedules WHERE id = $1 FOR UPDATE', [busy]);
      expect(await app.get(CronTask).run()).toBe(1);
    } finally {
      await sql('ROLLBACK');
    }
    expect([await runsOf(busy), await runsOf(free)]).toMatchObject([[], [{ status: 'completed' }]]);
    expect(await app.get(CronTask).run()).toBe(1);
  });

  it('BX-03 fires the schedules of others while a transaction of an application holds a lock of one organization', async () => {
    const [holder, other] = [await tenant({ plan: 'free' }), await tenant()];
    const [waiting, free] = [await schedule(holder), await schedule(other)];
    const { app, log } = idle;
    await sql('BEGIN');
    try {
      // As by a job that the application has added under a plan with limits.
      await sql(`SELECT pg_advisory_xact_lock(hashtextextended('jobs:' || $1, 0))`, [holder]);
      expect(await app.get(CronTask).run()).toBe(1);
      expect(log.filter((line) => line.includes('wait for locks') && line.includes(holder))).toHaveLength(1);
      // It is not waited for again at once.
      expect(await app.get(CronTask).run()).toBe(0);
    } finally {
      await sql('ROLLBACK');
    }
    expect([await runsOf(waiting), await runsOf(free)]).toMatchObject([[], [{ status: 'completed' }]]);
    const next = await startIdle();
    expect(await next.app.get(CronTask).run()).toBe(1);
    expect(await runsOf(waiting)).toMatchObject([{ status: 'completed' }]);
  });

  it('a run that exceeds the quota fails alone with a reason, and the schedule continues', async () => {
    const full = await tenant({ plan: 'free', customLimits: { max_active_jobs: 0 } });
    const free = await tenant();
    const [refused, made] = [await schedule(full), await schedule(free)];
    const { app } = idle;
    const before = await runsCounted('failed');
    expect(await app.get(CronTask).run()).toBe(2);
    expect(await runsOf(refused)).toMatchObject([
      { status: 'failed', job_id: null, error_message: expect.stringContaining('active_jobs limit reached (0/0)') },
    ]);
    expect(await stateOf(refused)).toMatchObject({ run_count: 0, last_run_at: null });
    expect(msUntil((await stateOf(refused)).next_run_at)).toBeGreaterThan(0);
    expect(await runsOf(made)).toMatchObject([{ status: 'completed' }]);
    expect(await jobsOf(full)).toEqual([]);
    expect(await runsCounted('failed')).toBe(before + 1);
  });

  it('a run that PostgreSQL rejects fails alone, and is logged', async () => {
    const org = await tenant();
    // A priority that validation would reject.
    const [broken, fine] = [await schedule(org, { priority: 100_000 }), await schedule(org)];
    const { app, log } = idle;
    expect(await app.get(CronTask).run()).toBe(2);
    expect(await runsOf(broken)).toMatchObject([{ status: 'failed', error_message: expect.any(String) }]);
    expect(await runsOf(fine)).toMatchObject([{ status: 'completed' }]);
    expect(log.filter((line) => line.includes(broken))).toHaveLength(1);
    expect(await app.get(CronTask).run()).toBe(0);
  });

  it('an expression that is no longer valid ends its schedule with a failed run', async () => {
    const id = await schedule(await tenant(), { cron_expression: '61 * * * *' });
    const { app } = idle;
    await app.get(CronTask).run();
    expect(await runsOf(id)).toMatchObject([{ status: 'failed', error_message: expect.stringContaining('cron') }]);
    expect(await stateOf(id)).toMatchObject({ next_run_at: null });
  });

  it('schedules of a deleted organization do not fire', async () => {
    const org = await tenant();
    const id = await schedule(org);
    await sql(`UPDATE organizations SET plan_tier = 'deleted' WHERE id = $1`, [org]);
    const { app } = idle;
    expect(await app.get(CronTask).run()).toBe(0);
    expect(await stateOf(id)).toMatchObject({ next_run_at: null, run_count: 0 });
    expect(await runsOf(id)).toEqual([]);
  });

  it('records webhook deliveries of job.created and schedule.triggered with each run that created a job', async () => {
    const org = await tenant();
    await sql(
      `INSERT INTO outgoing_webhooks (organization_id, name, url, events)
       VALUES ($1, 'all', 'http://localhost:9/hook', '{job.created,schedule.triggered}')`,
      [org],
    );
    const ids = [await schedule(org), await schedule(org, { queue_name: 'invoices' })];
    await schedule(org, { cron_expression: '61 * * * *', queue_name: 'broken' });
    const { app } = idle;
    await app.get(CronTask).run();
    const jobOf = new Map((await jobsOf(org)).map((job) => [job.queue_name, job.id]));
    const deliveries = await sql(
      `SELECT event, job_id, payload FROM webhook_deliveries WHERE organization_id = $1 ORDER BY event, payload ->> 'queue_name' DESC`,
      [org],
    );
    const runs = ['reports', 'invoices'].map((queue_name, i) => {
      const job_id = jobOf.get(queue_name);
      return { job_id, payload: { source: 'schedule', schedule_id: ids[i], job_id, queue_name } };
    });
    expect(deliveries).toEqual([
      ...runs.map(({ job_id, payload }) => {
        return { event: 'job.created', job_id, payload: { ...payload, priority: 0, status: 'pending' } };
      }),
      ...runs.map((run) => ({ event: 'schedule.triggered', ...run })),
    ]);
  });

  it('SP-09 SP-24 SP-32 fires on time, wakes the queue, and publishes the job', async () => {
    const org = await tenant();
    const events: EventEnvelope[] = [];
    const subscriber = new RedisEventSubscriber(schedulers.shards, silent);
    const leave = subscriber.subscribe(org, (more) => events.push(...more.map(({ envelope }) => envelope)));
    await subscriber.ready(org);
    const woken = new Promise((resolve) => new QueueSignals(schedulers.shards).onWake(org, 'reports', resolve));
    await Promise.all([1, 2, 3].map(() => schedulers.start()));
    const soon = fromNow(1_000);
    const id = await schedule(org, { cron_expression: '* * * * * *', next_run_at: soon });
    expect(await woken).toBe('cron_job_created');
    await eventually(async () => expect((await runsOf(id)).length).toBeGreaterThanOrEqual(3));
    await sql('DELETE FROM schedules');
    await schedulers.stopAll();
    const jobs = (await jobsOf(org)).map((job) => job.id).sort();
    await eventually(() => expect(events).toHaveLength(2 * jobs.length));
    for (const expected of ['JobCreated', 'ScheduleTriggered']) {
      const found = events.flatMap(({ type, data }) => (type === expected && 'job_id' in data ? [data.job_id] : []));
      expect([expected, found.sort()]).toEqual([expected, jobs]);
    }
    leave();
  });
});
