import { randomUUID } from 'node:crypto';
import { keptSeries } from '@spooled/data-access';
import { claim, command, enqueue, ManualClock, newJob } from '@spooled/testing';
import { type SeriesRow, SeriesFixture } from './series.fixture.js';
import { SeriesTask } from './series.task.js';

let series: SeriesFixture;
beforeAll(async () => void (series = await SeriesFixture.open()));
beforeEach(() => series.begin());
afterAll(() => series?.close());

describe('BX-25 samples of queues', () => {
  it('BX-25 count what happened since the sample before, and the live jobs', async () => {
    const org = randomUUID();
    await series.run(
      enqueue(org, [newJob({ queueName: 'mail' }), newJob({ queueName: 'mail' }), newJob({ queueName: 'mail' })]),
    );
    await series.task.run();
    await series.run(enqueue(org, [newJob({ queueName: 'mail' }), newJob({ queueName: 'other' })]));
    const [{ jobs }] = (await series.run(claim(org, { queueName: 'mail', limit: 3 }))) as [
      { jobs: { id: string; leaseId: string }[] },
    ];
    const held = (index: number) => ({ jobId: jobs[index]!.id, workerId: 'w1', leaseId: null, queues: null });
    await series.run(
      command('job.complete', org, { ...held(0), result: null }),
      command('job.fail', org, { ...held(1), error: 'boom', retry: true }),
    );
    await series.sample();
    const rows = await series.newest(org);
    expect(rows['mail']).toMatchObject({
      created: 1,
      started: 3,
      completed: 1,
      retried: 1,
      deadlettered: 0,
      pending: 2,
      scheduled: 0,
      processing: 1,
    });
    expect(rows['other']).toMatchObject({ created: 1, started: 0, pending: 1, processing: 0 });
    expect(rows['']).toMatchObject({ created: 2, started: 3, completed: 1, pending: 3, processing: 1, left_out: 0 });
    expect(Number(rows['mail']!.oldest_ms)).toBeGreaterThanOrEqual(0);
    expect(Number(rows['mail']!.run_ms)).toBeGreaterThanOrEqual(0);
    // The running job keeps its row; the idle queue has none until the minute ends.
    await series.sample();
    expect(await series.newest(org)).toMatchObject({ mail: { created: 0, started: 0, completed: 0, processing: 1 } });
  });

  it('BX-25 are taken once, whichever replica comes first', async () => {
    const tenSeconds = async () =>
      (await series.superuser.query<{ at: string }>(`SELECT date_bin('10 seconds', now(), 'epoch')::text AS at`))
        .rows[0]!.at;
    let [began, found, again] = ['', [] as unknown[], -1];
    // All in one period of ten seconds: in the next one there is another sample to take.
    do {
      await series.begin();
      await series.task.run();
      await series.run(enqueue(randomUUID(), [newJob()]));
      began = await tenSeconds();
      await series.pass(10);
      const replica = new SeriesTask(series.db, { SERIES_QUEUES_PER_ORGANIZATION: 2 }, new ManualClock());
      await Promise.all([series.task.run(), replica.run()]);
      found = (
        await series.superuser.query(
          `SELECT sum(created) AS created, count(*) AS n FROM queue_series WHERE queue_name <> '' AND step = 10`,
        )
      ).rows;
      again = await series.task.run();
    } while (began !== (await tenSeconds()));
    expect(found).toEqual([{ created: '1', n: '1' }]);
    expect(again).toBe(0);
  });

  it('BX-25 after a missed one cover both steps, and after minutes count nothing', async () => {
    const org = randomUUID();
    await series.task.run();
    await series.run(enqueue(org, [newJob()]));
    await series.sample(20);
    const spans = `SELECT counted_seconds FROM series_samples WHERE step = 10 ORDER BY at DESC LIMIT 1`;
    expect((await series.superuser.query(spans)).rows).toEqual([{ counted_seconds: 20 }]);
    expect((await series.newest(org))['']).toMatchObject({ created: 1 });
    await series.run(enqueue(org, [newJob()]));
    await series.sample(3_600);
    expect((await series.superuser.query(spans)).rows).toEqual([{ counted_seconds: 0 }]);
    await series.run(enqueue(org, [newJob()]));
    await series.sample();
    expect((await series.newest(org))['']).toMatchObject({ created: 1, pending: 3 });
  });

  it('BX-25 after a missed full minute show queues in which nothing happens', async () => {
    const org = randomUUID();
    await series.run(enqueue(org, [newJob({ queueName: 'idle' })]));
    await series.task.run();
    await series.sample(3_600);
    expect(await series.newest(org)).toMatchObject({ idle: { pending: 1 }, '': { pending: 1 } });
  });

  it('BX-25 keep the busiest queues of an organization apart, and say how many are left out', async () => {
    const org = randomUUID();
    await series.task.run();
    const jobsOf = (queueName: string, count: number) => Array.from({ length: count }, () => newJob({ queueName }));
    await series.run(enqueue(org, [...jobsOf('a', 1), ...jobsOf('b', 3), ...jobsOf('c', 2)]));
    await series.sample();
    const rows = await series.newest(org);
    expect(Object.keys(rows).sort()).toEqual(['', 'b', 'c']);
    expect(rows['']).toMatchObject({ created: 6, left_out: 1 });
  });

  it('BX-25 start again after a queue and its counters were deleted', async () => {
    const org = randomUUID();
    await series.task.run();
    await series.run(enqueue(org, [newJob(), newJob()]));
    await series.sample();
    await series.superuser.query('DELETE FROM job_stats');
    await series.run(enqueue(org, [newJob()]));
    await series.sample();
    expect((await series.newest(org))['']).toMatchObject({ created: 1 });
  });

  it('BX-25 add up to minutes, and minutes to hours', async () => {
    const org = randomUUID();
    // An hour of minutes and the last one of samples, which end where the next sample begins.
    await series.superuser.query(
      `WITH hour AS (SELECT date_bin('1 hour', now(), 'epoch') AS until), steps AS (
         SELECT 60 AS step, until - interval '1 hour' + n * interval '1 minute' AS at FROM hour, generate_series(0, 58) AS n
         UNION ALL SELECT 10, until - interval '1 minute' + n * interval '10 seconds' FROM hour, generate_series(0, 5) AS n
       ), samples AS (
         INSERT INTO series_samples SELECT step, at, at, at + make_interval(secs => step), step, true FROM steps
       )
       INSERT INTO queue_series (organization_id, step, queue_name, at, created, started, completed, retried, deadlettered, cancelled,
         wait_ms, run_ms, pending, scheduled, processing, oldest_ms, run_buckets, run_jobs)
       SELECT $1, step, queue, at, 1, 1, 1, 0, 0, 0, 5, 7, extract(second FROM at), 0, 0, 9,
         CASE WHEN extract(second FROM at) = 0 THEN '{4,9}' ELSE '{4}' END::smallint[], CASE WHEN extract(second FROM at) = 0 THEN '{2,1}' ELSE '{3}' END::integer[]
       FROM steps, unnest(ARRAY['', 'q']) AS queue`,
      [org],
    );
    await series.task.run();
    const { rows } = await series.superuser.query<SeriesRow>(
      `SELECT step, created::int, run_ms::int, pending, oldest_ms::int, wait_jobs, run_buckets, run_jobs FROM queue_series q
       WHERE queue_name = 'q' AND at = (SELECT max(at) FROM queue_series m WHERE m.step = q.step) ORDER BY step`,
    );
    expect(rows.slice(-2)).toEqual([
      {
        step: 60,
        created: 6,
        run_ms: 42,
        pending: 50,
        oldest_ms: 9,
        wait_jobs: [],
        run_buckets: [4, 9],
        run_jobs: [17, 1],
      },
      {
        step: 3600,
        created: 65,
        run_ms: 455,
        pending: 50,
        oldest_ms: 9,
        wait_jobs: [],
        run_buckets: [4, 9],
        run_jobs: [135, 60],
      },
    ]);
    const { rows: samples } = await series.superuser.query(
      // The sample of this run may be the last one of a minute, which is then added up too.
      `SELECT counted_seconds, has_depth FROM series_samples WHERE step > 10 AND at < date_bin('1 hour', now(), 'epoch')
       ORDER BY step DESC, at DESC LIMIT 2`,
    );
    expect(samples).toEqual([
      { counted_seconds: 3_600, has_depth: true },
      { counted_seconds: 60, has_depth: true },
    ]);
  });

  it('BX-25 are deleted when they are older than their step is kept', async () => {
    const org = randomUUID();
    for (const { stepSeconds, keptSeconds } of keptSeries) {
      for (const age of [keptSeconds + 60, keptSeconds - 60]) {
        await series.superuser.query(
          `WITH old AS (
             INSERT INTO series_samples SELECT $2, t, t, t, 0, false FROM (SELECT now() - make_interval(secs => $3) AS t) AS moment RETURNING at
           )
           INSERT INTO queue_series (organization_id, step, queue_name, at, created, started, completed, retried, deadlettered, cancelled,
             wait_ms, run_ms, pending, scheduled, processing, oldest_ms)
           SELECT $1, $2, 'q', at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM old`,
          [org, stepSeconds, age],
        );
      }
    }
    await series.task.run();
    const { rows } = await series.superuser.query(
      `SELECT step, count(*)::int AS n FROM queue_series WHERE queue_name = 'q' GROUP BY step ORDER BY step`,
    );
    expect(rows).toEqual(keptSeries.map(({ stepSeconds: step }) => ({ step, n: 1 })));
  });
});
