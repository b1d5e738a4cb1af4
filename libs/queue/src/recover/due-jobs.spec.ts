import { countActiveJobs } from '@spooled/data-access';
import { claim, enqueue, fromNow, ManualClock, newJob } from '@spooled/testing';
import pg from 'pg';
import { Deadlines } from '../tasks/deadlines.js';
import { useEngine } from '../testing/job-lifecycle.fixture.js';

describe('jobs whose time has come', () => {
  const fixture = useEngine();
  // Those of one test become due in the next.
  beforeEach(() => fixture.sql('DELETE FROM job_queue'));

  it('SP-24 are started then, and no sooner', async () => {
    const org = await fixture.organization();
    const scheduledAt = fromNow(3600_000).toISOString();
    await fixture.run(
      enqueue(
        org,
        Array.from({ length: 300 }, () => newJob({ scheduledAt })),
      ),
    );
    // Ten times a second, so that some are about to be due however long the next call takes to begin.
    await fixture.sql(
      `UPDATE job_queue q SET due_at = current_ts(clock_timestamp()) + n.number * interval '100 ms'
       FROM (SELECT job_id, row_number() OVER () - 11 AS number FROM job_queue WHERE organization_id = $1) n
       WHERE q.job_id = n.job_id`,
      [org],
    );
    const activated = await fixture.maintenance.activateDue(1_000);
    expect(activated).toBeGreaterThan(9);
    expect(activated).toBeLessThan(300);
    const [row] = await fixture.sql(
      `SELECT count(*) FILTER (WHERE state = 'ready')::int AS ready,
         max(due_at) FILTER (WHERE state = 'ready') <= min(h.at) AS none_early,
         min(due_at) FILTER (WHERE state = 'scheduled') > max(h.at) AS none_late
       FROM job_queue q LEFT JOIN job_history h ON h.job_id = q.job_id AND h.event = 'activated'
       WHERE q.organization_id = $1`,
      [org],
    );
    expect(row).toEqual({ ready: activated, none_early: true, none_late: true });
  });

  it('count as active before they are activated, because a claim may take them', async () => {
    const org = await fixture.organization();
    const [now, later, ready] = [newJob(), newJob(), newJob()];
    const blocked = newJob({ parentJobId: later.id });
    await fixture.run(enqueue(org, [now, later, ready]));
    await fixture.run(enqueue(org, [blocked]));
    const wait = (id: string, due: string) =>
      fixture.sql(`UPDATE job_queue SET state = 'retrying', due_at = current_ts() + $2::interval WHERE job_id = $1`, [
        id,
        due,
      ]);
    await wait(now.id, '-1 ms');
    await wait(later.id, '1 hour');
    await wait(blocked.id, '-1 ms');
    const count = (queue: string) =>
      fixture.db.withTenant(org, async (tx) => (await tx.one(countActiveJobs, { queues: [queue] })).active);
    expect([await count('emails'), await count('other')]).toEqual([2, 0]);
    expect((await fixture.run(claim(org, { limit: 9 }))).jobs).toHaveLength(2);
    expect(await count('emails')).toBe(2);
  });

  it('SP-24 are those that wait for a time, the longest due first, some at a time', async () => {
    const org = await fixture.organization();
    const jobs = Array.from({ length: 4 }, () => newJob());
    await fixture.run(enqueue(org, jobs));
    const [first, second, third, leased] = jobs.map(({ id }) => id);
    const set = (id: string | undefined, state: string, minutes: number) =>
      fixture.sql(
        `UPDATE job_queue SET state = $2::live_state, due_at = current_ts() - $3 * interval '1 min' WHERE job_id = $1`,
        [id, state, minutes],
      );
    await set(third, 'scheduled', 1);
    await set(second, 'retrying', 2);
    await set(first, 'scheduled', 3);
    // It was scheduled before its worker took it.
    await set(leased, 'leased', 4);
    const waiting = async () =>
      (
        await fixture.sql<{ job_id: string }>(
          `SELECT job_id FROM job_queue WHERE organization_id = $1 AND state <> 'ready' ORDER BY due_at`,
          [org],
        )
      ).map(({ job_id }) => job_id);
    fixture.effects.length = 0;
    expect([await fixture.maintenance.activateDue(2), await waiting()]).toEqual([2, [leased, third]]);
    // Callers see a retried job as pending before and after.
    const change = { job_id: first, old_status: 'scheduled', new_status: 'pending' };
    expect(fixture.events(org)).toMatchObject([{ type: 'JobStatusChange', data: change }]);
    expect(fixture.effects.flatMap(({ wakeups }) => wakeups)).toEqual([{ organizationId: org, queueName: 'emails' }]);
    expect([await fixture.maintenance.activateDue(2), await waiting()]).toEqual([1, [leased]]);
    const told = fixture.effects.length;
    expect([await fixture.maintenance.activateDue(2), await waiting()]).toEqual([0, [leased]]);
    expect(fixture.effects).toHaveLength(told);
    const activated = await fixture.sql(
      `SELECT job_id FROM job_history WHERE organization_id = $1 AND event = 'activated' ORDER BY id`,
      [org],
    );
    expect(activated).toEqual([{ job_id: first }, { job_id: third }]);
  });

  it('PB-15 are not waited for while another session holds them', async () => {
    const jobs = [newJob(), newJob()];
    await fixture.run(enqueue(await fixture.organization(), jobs));
    await fixture.sql(`UPDATE job_queue SET state = 'scheduled', due_at = current_ts()`);
    const holder = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM job_queue WHERE job_id = $1 FOR UPDATE', [jobs[0]!.id]);
    expect(await fixture.maintenance.activateDue(10)).toBe(1);
    await holder.query('ROLLBACK');
    await holder.end();
    expect(await fixture.maintenance.activateDue(10)).toBe(1);
  });

  it('SP-24 and leases that end set the time of the next look', async () => {
    const next = async () =>
      (
        await fixture.sql<{ seconds: number | null }>(
          'SELECT round(extract(epoch FROM next_deadline_v1() - current_ts()) / 100)::int * 100 AS seconds',
        )
      )[0]!.seconds;
    expect(await next()).toBeNull();
    const org = await fixture.organization();
    const jobs = Array.from({ length: 5 }, () => newJob());
    await fixture.run(enqueue(org, jobs));
    const set = (n: number, state: string, due: number, lease: number | null = null) =>
      fixture.sql(
        `UPDATE job_queue SET state = $2::live_state, due_at = current_ts() + $3 * interval '1 s',
           lease_expires_at = current_ts() + $4 * interval '1 s' WHERE job_id = $1`,
        [jobs[n]!.id, state, due, lease],
      );
    // Not waited for: it can be claimed, and its lease has ended.
    for (let n = 0; n < 5; n++) await set(n, 'ready', 100, 100);
    expect(await next()).toBeNull();
    await set(1, 'scheduled', 900);
    expect(await next()).toBe(900);
    await set(2, 'leased', 100, 800);
    expect(await next()).toBe(800);
    await set(3, 'retrying', 700);
    expect(await next()).toBe(700);
    await set(4, 'leased', 100, 600);
    expect(await next()).toBe(600);
  });

  it('SP-24 are read with those of schedules, operations and pauses, once for the tasks that ask within 20 ms', async () => {
    const org = await fixture.organization();
    const clock = new ManualClock();
    const deadlines = new Deadlines(fixture.db, clock);
    const read = () =>
      Promise.all([
        deadlines.msUntil('job'),
        deadlines.msUntil('schedule'),
        deadlines.msUntil('operation'),
        deadlines.msUntil('pauseExpiry'),
      ]);
    expect(await read()).toEqual([null, null, null, null]);
    await fixture.run(enqueue(org, [newJob({ scheduledAt: '2100-01-01T00:00:00Z' })]));
    const inHours = (hours: number) => `current_ts() + interval '${hours} hours'`;
    await fixture.sql(`UPDATE job_queue SET due_at = ${inHours(1)} WHERE organization_id = $1`, [org]);
    await fixture.sql(
      `INSERT INTO schedules (id, organization_id, name, cron_expression, queue_name, payload_template, next_run_at)
       VALUES (uuidv7(), $1, 'nightly', '0 3 * * *', 'emails', '{}', ${inHours(2)})`,
      [org],
    );
    await fixture.sql(
      `INSERT INTO operations (organization_id, kind, next_step_at) VALUES ($1, 'deadletter.purge', ${inHours(3)})`,
      [org],
    );
    await fixture.sql(
      `INSERT INTO queue_config (organization_id, queue_name, enabled, pause_expires_at) VALUES ($1, 'emails', false, ${inHours(4)})`,
      [org],
    );
    await clock.advance(19);
    expect(await read()).toEqual([null, null, null, null]);
    await clock.advance(1);
    const first = (await read()) as number[];
    expect(first.map((ms) => Math.round(ms / 3_600_000))).toEqual([1, 2, 3, 4]);
    await clock.advance(19);
    expect(await read()).toEqual(first.map((ms) => ms - 19));
  });
});
