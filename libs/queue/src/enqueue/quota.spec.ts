import type { JobQuota } from '@spooled/contracts';
import { enqueue, newJob, unlimited } from '@spooled/testing';
import { useEngine } from '../testing/job-lifecycle.fixture.js';

describe('plan caps', () => {
  const fixture = useEngine();
  let org: string;
  beforeEach(async () => void (org = await fixture.organization()));

  const free: JobQuota = { plan: 'free', upgradeTo: 'starter', maxJobsPerDay: 1000, maxActiveJobs: 10, maxQueues: 2 };

  it('are exact under concurrency', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () => fixture.engine.execute([enqueue(org, [newJob()], free)])),
    );
    const refusedOnes = outcomes.flat().filter((outcome) => !outcome.ok);
    expect(refusedOnes).toHaveLength(20);
    expect(refusedOnes[0]).toMatchObject({
      error: {
        status: 429,
        code: 'QUOTA_EXCEEDED',
        extras: { resource: 'active_jobs', current: 10, limit: 10, plan: 'free', upgrade_to: 'starter' },
      },
    });
    expect(await fixture.sql('SELECT count(*)::int AS n FROM job_queue WHERE organization_id = $1', [org])).toEqual([
      { n: 10 },
    ]);
  });

  const jobs = (count: number) => Array.from({ length: count }, () => newJob());

  it('count each job of a bulk against the day, to the last one', async () => {
    const daily = { ...unlimited, maxJobsPerDay: 5 };
    await fixture.run(enqueue(org, jobs(3), daily));
    await expect(fixture.run(enqueue(org, jobs(3), daily))).rejects.toMatchObject({
      extras: { resource: 'jobs_per_day', current: 3, limit: 5 },
    });
    await fixture.run(enqueue(org, jobs(2), daily));
    await expect(fixture.run(enqueue(org, jobs(1), daily))).rejects.toMatchObject({ extras: { current: 5 } });
  });

  it('count each live job once, whatever it waits for', async () => {
    const states = ['ready', 'scheduled', 'retrying', 'leased'].flatMap((state) =>
      [true, false].map((met) => ({ state, met })),
    );
    // Each another number of times, so that no sum of some is the sum of all.
    const all = states.flatMap((one, i) => Array.from({ length: 1 + i * 2 }, () => one));
    const created = all.map(() => newJob());
    await fixture.run(enqueue(org, created));
    await fixture.sql(
      `UPDATE job_queue q SET state = n.state::live_state, dependencies_met = n.met, due_at = now()
       FROM unnest($1::uuid[], $2::text[], $3::boolean[]) AS n(id, state, met) WHERE q.job_id = n.id`,
      [created.map(({ id }) => id), all.map(({ state }) => state), all.map(({ met }) => met)],
    );
    const capped = (maxActiveJobs: number) => fixture.run(enqueue(org, jobs(1), { ...unlimited, maxActiveJobs }));
    await expect(capped(64)).rejects.toMatchObject({ extras: { resource: 'active_jobs', current: 64, limit: 64 } });
    await capped(65);
  });

  it('of a day count what was created on it, by UTC', async () => {
    await fixture.sql(
      `INSERT INTO usage_counters (organization_id, day, slot, jobs_created)
       SELECT $1, (current_ts() AT TIME ZONE 'UTC')::date + days, 0, 50 FROM unnest('{-1,1}'::int[]) AS days`,
      [org],
    );
    const daily = { ...unlimited, maxJobsPerDay: 1 };
    await fixture.run(enqueue(org, jobs(1), daily));
    await expect(fixture.run(enqueue(org, jobs(1), daily))).rejects.toMatchObject({ extras: { current: 1 } });
  });

  describe('of queues', () => {
    const inQueues = (...names: string[]) => names.map((queueName) => newJob({ queueName }));
    const capped = (maxQueues: number, ...names: string[]) =>
      fixture.run(enqueue(org, inQueues(...names), { ...unlimited, maxQueues }));
    const refusedAt = (current: number) => ({ extras: { resource: 'queues', current } });
    const schedule = (name: string, isActive: boolean) =>
      fixture.sql(
        `INSERT INTO schedules (id, organization_id, name, cron_expression, queue_name, payload_template, is_active)
         VALUES (gen_random_uuid(), $1, 'nightly', '0 3 * * *', $2, '{}', $3)`,
        [org, name, isActive],
      );
    const configure = (name: string) =>
      fixture.sql(`INSERT INTO queue_config (organization_id, queue_name) VALUES ($1, $2)`, [org, name]);

    it('count each new one of a bulk, once', async () => {
      await expect(capped(2, 'a', 'b', 'c', 'a')).rejects.toMatchObject(refusedAt(0));
      await capped(2, 'a', 'b', 'a');
      await capped(2, 'b', 'a');
      await expect(capped(2, 'b', 'c')).rejects.toMatchObject(refusedAt(2));
    });

    it('count those with settings, with jobs, and of active schedules, each once', async () => {
      await configure('a');
      await schedule('b', true);
      await schedule('a', true);
      await schedule('paused', false);
      await capped(3, 'c', 'a', 'b');
      await expect(capped(3, 'd')).rejects.toMatchObject(refusedAt(3));
      await expect(capped(3, 'paused')).rejects.toMatchObject(refusedAt(3));
      await capped(3, 'a', 'b', 'c');
    });

    it('let jobs into known queues when there are more than the plan has', async () => {
      await capped(9, 'a', 'b', 'c');
      await capped(1, 'a');
    });
  });
});
