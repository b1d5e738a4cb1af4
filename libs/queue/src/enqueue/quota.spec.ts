import type { JobQuota } from '@spooled/contracts';
import { enqueue, newJob, unlimited } from '@spooled/testing';
import { EngineFixture, refusal } from '../testing/job-lifecycle.fixture.js';

describe('plan caps', () => {
  let fixture: EngineFixture;
  let org: string;

  beforeAll(async () => {
    fixture = await EngineFixture.open();
  });
  beforeEach(async () => {
    org = await fixture.organization();
  });
  afterAll(() => fixture.close());

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

  it.each(['maxJobsPerDay', 'maxActiveJobs'])('do not count the known keys of a bulk: %s', async (cap) => {
    const known = () => ['a', 'b'].map((idempotencyKey) => newJob({ idempotencyKey }));
    await fixture.run(enqueue(org, known(), { ...unlimited, [cap]: 4 }));
    const { jobs: created } = await fixture.run(enqueue(org, [...known(), ...jobs(2)], { ...unlimited, [cap]: 4 }));
    expect(created.map(({ created }) => created)).toEqual([false, false, true, true]);
  });

  it('refuse a whole batch, do not charge idempotency hits, and count queues', async () => {
    await expect(
      fixture.run(
        enqueue(
          org,
          Array.from({ length: 11 }, () => newJob()),
          free,
        ),
      ),
    ).rejects.toEqual(refusal(429, 'QUOTA_EXCEEDED'));
    await fixture.run(
      enqueue(
        org,
        Array.from({ length: 10 }, (_, i) => newJob({ idempotencyKey: `k${i}` })),
        free,
      ),
    );
    expect((await fixture.run(enqueue(org, [newJob({ idempotencyKey: 'k3' })], free))).jobs[0]!.created).toBe(false);
    const higher = { ...free, maxActiveJobs: null };
    await fixture.run(enqueue(org, [newJob({ queueName: 'second' })], higher));
    await expect(fixture.run(enqueue(org, [newJob({ queueName: 'third' })], higher))).rejects.toMatchObject({
      extras: { resource: 'queues' },
    });
    await expect(fixture.run(enqueue(org, [newJob()], { ...higher, maxJobsPerDay: 11 }))).rejects.toMatchObject({
      extras: { resource: 'jobs_per_day', current: 11 },
    });
  });
});
