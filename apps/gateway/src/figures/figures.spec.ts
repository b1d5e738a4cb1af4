import { dashboardSchemas, explainSchemas, queueSchemas } from '@spooled/contracts';
import { FiguresFixture, type Truth, type Work } from './figures.fixture.js';

let fixture: FiguresFixture;
beforeAll(async () => void (fixture = await FiguresFixture.open()));
beforeEach(() => fixture.begin());
afterAll(() => fixture?.close());

const dashboard = async (key?: string) => dashboardSchemas.dashboard.parse(await fixture.get('/dashboard', key));
const stats = async (queue: string) => queueSchemas.queueStats.parse(await fixture.get(`/queues/${queue}/stats`));
const explain = async (queue: string) =>
  explainSchemas.queueExplanation.parse(await fixture.get(`/queues/${queue}/explain`));

/** An ordinary minute, different from its neighbours. */
const minuteOf = (index: number): Work => ({
  created: 6 + (index % 7),
  completed: 2 + (index % 3),
  retried: index % 3 === 0 ? 1 : 0,
  deadlettered: index % 8 === 0 ? 1 : 0,
});

/** Minutes with work in every fourth one. */
async function workFor(minutes: number, { isSampled = true } = {}): Promise<void> {
  for (let index = 0; index < minutes; index++) {
    if (index % 4 === 0) {
      await fixture.work('mail', minuteOf(index));
      await fixture.work('reports', { created: 1, completed: 1 });
    }
    await fixture.pass(1, { isSampled });
  }
}

/** Compares what every route says of the last hour and the last 24 hours with the jobs themselves. */
async function expectTruth(covered = 3_600, without: [string, string] | null = null): Promise<void> {
  const hour = (queue: string | null) => fixture.truth(1, queue, without);
  const day = (queue: string | null) => fixture.truth(24, queue);
  const { recent_activity: all, jobs } = await dashboard();
  expect(all).toMatchObject({ ...ofDashboard(await hour(null)), covered_seconds_1h: covered });
  const { completed, failed } = await day(null);
  expect(jobs).toMatchObject({ completed_24h: completed, failed_24h: failed, covered_seconds_24h: 86_400 });
  for (const queue of ['mail', 'reports']) {
    const { rates } = await explain(queue);
    expect([queue, rates]).toMatchObject([queue, { ...ofExplanation(await hour(queue)), covered_seconds: covered }]);
    const own = await day(queue);
    expect(await stats(queue)).toMatchObject({
      completed_jobs_24h: own.completed,
      failed_jobs_24h: own.failed,
      covered_seconds_24h: 86_400,
    });
  }
}

const ofDashboard = ({ created, completed, failed, retried }: Truth) => ({
  jobs_created_1h: created,
  jobs_completed_1h: completed,
  jobs_failed_1h: failed,
  failed_attempts_1h: failed + retried,
});
const ofExplanation = ({ created, completed, failed, retried }: Truth) => ({
  created_last_hour: created,
  completed_last_hour: completed,
  failed_attempts_last_hour: failed + retried,
});

describe('figures of the last hour', () => {
  it('BX-25 are what happened in it, at every minute of the hour, and the same on every route', async () => {
    await fixture.passTo(50);
    await workFor(10);
    await expectTruth();
    await workFor(25);
    await expectTruth();
    await workFor(40);
    await expectTruth();
    await fixture.restart();
    await expectTruth();
  });

  it('BX-25 count a time without samples from the counters of its hour', async () => {
    await fixture.passTo(0);
    await workFor(30);
    await workFor(10, { isSampled: false });
    await fixture.sample();
    await expectTruth();
    await workFor(30);
    await expectTruth();
  });

  it('BX-25 say how much of it they cover where samples are missing on both sides of its beginning', async () => {
    await fixture.passTo(10);
    await workFor(10);
    const from = await fixture.value<string>(`SELECT date_trunc('minute', current_ts())::text`);
    await workFor(20, { isSampled: false });
    await fixture.sample();
    const to = await fixture.value<string>(`SELECT date_trunc('minute', current_ts())::text`);
    await workFor(50);
    // It is 30 minutes past: the hour began in the middle of the gap of 20 minutes.
    await expectTruth(3_600 - 600, [from, to]);
  });

  it('BX-25 begin with the full hour without a sampler', async () => {
    await fixture.passTo(59, { isSampled: false });
    await workFor(13, { isSampled: false });
    const from = await fixture.value<string>(`SELECT (date_trunc('hour', current_ts()) - interval '1 hour')::text`);
    const to = await fixture.value<string>(`SELECT date_trunc('hour', current_ts())::text`);
    await expectTruth(12 * 60, [from, to]);
  });

  it('BX-25 count an attempt that failed once, also when its job expires before the retry', async () => {
    await fixture.passTo(5);
    await fixture.work('mail', { created: 4, completed: 1, retried: 2, deadlettered: 1 });
    await fixture.expireRetries();
    await fixture.pass(1, { stepSeconds: 10 });
    const { recent_activity: all } = await dashboard();
    expect(all).toMatchObject({ jobs_failed_1h: 3, failed_attempts_1h: 3, last_minute: { failed_attempts: 3 } });
    expect((await explain('mail')).rates.failed_attempts_last_hour).toBe(3);
    const { points } = await fixture.get('/series?queue=mail&step=10');
    expect(points.at(-1)).toMatchObject({ started: 4, completed: 1, failed: 3, dead_lettered: 3 });
    // The minute of it, and the hour without samples.
    await fixture.pass(60);
    expect((await dashboard()).recent_activity.failed_attempts_1h).toBe(3);
  });

  it('BX-25 of a queue that was not kept apart cover less than those of the organization', async () => {
    fixture.queuesPerOrganization = 1;
    const busy = { created: 2, completed: 2 };
    const work = async (minutes: number) => {
      for (let left = minutes; left > 0; left--) {
        await fixture.work('mail', busy);
        await fixture.work('reports', { created: 1 });
        await fixture.pass(1);
      }
    };
    await fixture.passTo(10);
    await work(15);
    await fixture.pass(35);
    await work(5);
    await fixture.pass(12);
    // It is 17 minutes past. Of the hour before, 7 minutes are unknown before the period and 8 within it.
    expect((await explain('reports')).rates).toMatchObject({ created_last_hour: 5, covered_seconds: 3_600 - 480 });
    expect((await explain('mail')).rates).toMatchObject({ created_last_hour: 2 * 13, covered_seconds: 3_600 });
    const { recent_activity: all } = await dashboard();
    expect(all).toMatchObject({ jobs_created_1h: 3 * 13, covered_seconds_1h: 3_600 });
    const { recent_activity: own } = await dashboard(await fixture.tenant.keyFor('reports'));
    expect(own).toMatchObject({ jobs_created_1h: 5, covered_seconds_1h: 3_600 - 480 });
  });
});

describe('figures of the last minute', () => {
  const work: Work = { created: 8, completed: 3, retried: 1, deadlettered: 1 };
  const minute = { created: 8, completed: 3, failed_attempts: 2, covered_seconds: 60 };
  const minutes = async () => [
    (await dashboard()).recent_activity.last_minute,
    (await explain('mail')).rates.last_minute,
  ];

  it('BX-25 are those of the last six samples, and not of the hour', async () => {
    await fixture.pass(1);
    await fixture.work('mail', { created: 100 });
    await fixture.pass(7, { stepSeconds: 10 });
    await fixture.work('mail', work);
    await fixture.pass(6, { stepSeconds: 10 });
    expect(await minutes()).toEqual([minute, minute]);
    await fixture.pass(1, { stepSeconds: 10 });
    const none = { created: 0, completed: 0, failed_attempts: 0, covered_seconds: 60 };
    expect(await minutes()).toEqual([none, none]);
  });

  it('BX-25 are unknown without samples, and after minutes without one', async () => {
    await fixture.work('mail', work);
    expect(await minutes()).toEqual([null, null]);
    await fixture.pass(2);
    expect(await minutes()).not.toContain(null);
    await fixture.pass(4, { isSampled: false });
    expect(await minutes()).toEqual([null, null]);
  });

  it('BX-25 cover the time that a sample after a missed one counts', async () => {
    await fixture.pass(1);
    await fixture.work('mail', work);
    await fixture.pass(1, { isSampled: false });
    await fixture.pass(1);
    expect(await minutes()).toEqual([
      { ...minute, covered_seconds: 120 },
      { ...minute, covered_seconds: 120 },
    ]);
  });
});

it('BX-25 figures of a queue are not those of one that was deleted and had its name', async () => {
  await fixture.passTo(40);
  await fixture.work('mail', { created: 100, completed: 60, deadlettered: 7 });
  await fixture.work('reports', { created: 2 });
  await fixture.pass(1);
  await fixture.gateway.request('DELETE', '/queues/mail?delete_jobs=true', fixture.tenant.key);
  await fixture.work('mail', { created: 3, completed: 1 });
  await fixture.pass(1, { stepSeconds: 10 });
  const minute = { created: 3, completed: 1, failed_attempts: 0 };
  expect((await explain('mail')).rates.last_minute).toMatchObject(minute);
  expect((await dashboard()).recent_activity.last_minute).toMatchObject({ ...minute, created: 3 + 2 });
  await expectTruth();
  // Now the period begins in the hour of the deletion, of which minutes and not counters say what lies within it.
  await fixture.pass(30);
  await expectTruth();
});

describe('the depth of a queue', () => {
  const depths = async () => {
    const [all, own, explanation, { points }] = await Promise.all([
      dashboard(),
      stats('mail'),
      explain('mail'),
      fixture.get('/series?queue=mail&step=10'),
    ]);
    return {
      dashboard: [all.jobs.pending, all.jobs.processing],
      queues: all.queues.map(({ pending, processing }) => [pending, processing]),
      stats: [own.pending_jobs, own.processing_jobs],
      explain: [explanation.jobs.ready, explanation.jobs.running],
      series: [points.at(-1).pending, points.at(-1).processing],
    };
  };

  it('BX-25 is the same on every route, also of more jobs than an explanation counts', async () => {
    const created = 10_000 + 107;
    await fixture.pass(1, { stepSeconds: 10 });
    await fixture.work('mail', { created: 7, running: 7 });
    await fixture.fill('mail', created - 7);
    // Not sampled yet.
    expect((await explain('mail')).jobs.ready).toEqual({ count: 10_000, at_least: true });
    await fixture.pass(1, { stepSeconds: 10 });
    const depth = [created - 7, 7];
    const bounded = depth.map((count) => ({ count, at_least: false }));
    expect(await depths()).toEqual({
      dashboard: depth,
      queues: [depth],
      stats: depth,
      explain: bounded,
      series: depth,
    });
    const { rates } = await explain('mail');
    expect(rates.seconds_to_drain).toBeNull();
    // An old sample is not shown as the current depth.
    await fixture.pass(2, { isSampled: false });
    expect((await explain('mail')).jobs.ready).toEqual({ count: 10_000, at_least: true });
  });

  it('BX-25 of a problem is that of the explanations of its queues, also where it is not exact', async () => {
    await fixture.pass(1, { stepSeconds: 10 });
    await fixture.fill('mail', 12_000);
    await fixture.fill('bills', 10_001);
    await fixture.fill('ads', 10_000);
    const places = async () => {
      const { problems } = await fixture.get('/problems');
      const { jobs, at_least, places: found } = problems.find(({ code }: { code: string }) => code === 'no_workers');
      const counts = found.map((one: Record<string, unknown>) => [one.queue, one.jobs, one.at_least]);
      const same = await Promise.all(
        found.map(async ({ queue }: { queue: string }) => (await explain(queue)).jobs.ready),
      );
      expect(same).toEqual(counts.map(([, count, atLeast]: unknown[]) => ({ count, at_least: atLeast })));
      return { sum: [jobs, at_least], counts: counts.sort() };
    };
    expect(await places()).toEqual({
      sum: [30_000, true],
      counts: [
        ['ads', 10_000, false],
        ['bills', 10_000, true],
        ['mail', 10_000, true],
      ],
    });
    await fixture.pass(1, { stepSeconds: 10 });
    expect(await places()).toEqual({
      sum: [32_001, false],
      counts: [
        ['ads', 10_000, false],
        ['bills', 10_001, false],
        ['mail', 12_000, false],
      ],
    });
  });
});
