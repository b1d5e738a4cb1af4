import { randomUUID } from 'node:crypto';
import { type Database, keptSeries } from '@spooled/data-access';
import { JobEngine, Latencies } from '@spooled/queue';
import {
  claim,
  command,
  createTestDatabase,
  enqueue,
  newJob,
  openConnections,
  type TestDatabase,
} from '@spooled/testing';
import pg from 'pg';
import { SeriesTask } from './series.task.js';

let database: TestDatabase;
let db: Database;
let engine: JobEngine;
let latencies: Latencies;
let superuser: pg.Client;
let task: SeriesTask;
const lost: unknown[] = [];

/** Each test has a database of its own, because samples are taken of all organizations together. */
beforeEach(async () => {
  database = await createTestDatabase();
  db = openConnections(database, { maxConnections: 2 });
  latencies = new Latencies(db, { flushMs: 3_600_000, onError: (error) => void lost.push(error) });
  engine = new JobEngine(db, { onEffects: () => undefined, latencies });
  superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
  task = new SeriesTask(db, { SERIES_QUEUES_PER_ORGANIZATION: 2 });
});
afterEach(async () => {
  await latencies?.close();
  await superuser?.end();
  await db?.close();
  await database?.drop();
});

async function run(...commands: Parameters<JobEngine['execute']>[0]) {
  const outcomes = await engine.execute(commands);
  return outcomes.map((outcome) => {
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.value as { jobs: { id: string; leaseId: string }[] };
  });
}

/** Moves everything that was sampled into the past, so that the next sample comes `seconds` after the last. */
async function pass(seconds: number): Promise<void> {
  const { rows } = await superuser.query<{ by: string }>(
    `SELECT (max(at) + interval '10 seconds' + make_interval(secs => $1) - date_bin('10 seconds', now(), 'epoch'))::text AS by
     FROM series_samples WHERE step = 10`,
    [seconds],
  );
  const by = `interval '${rows[0]!.by}'`;
  await superuser.query(`
    UPDATE queue_series SET at = at - ${by};
    UPDATE series_samples SET at = at - ${by}, counted_from = counted_from - ${by}, counted_to = counted_to - ${by}`);
}

/** Takes a sample that comes `seconds` after the one before. */
async function sample(seconds = 10): Promise<number> {
  await pass(seconds);
  return task.run();
}

interface Row {
  queue_name: string;
  [column: string]: unknown;
}

/** The newest rows of an organization, by queue. */
async function newest(org: string, step = 10): Promise<Record<string, Row>> {
  const { rows } = await superuser.query<Row>(
    `SELECT * FROM queue_series WHERE organization_id = $1 AND step = $2
       AND at = (SELECT max(at) FROM series_samples WHERE step = $2)`,
    [org, step],
  );
  return Object.fromEntries(rows.map((row) => [row.queue_name, row]));
}

describe('BX-25 samples of queues', () => {
  it('BX-25 count what happened since the sample before, and the live jobs', async () => {
    const org = randomUUID();
    await run(
      enqueue(org, [newJob({ queueName: 'mail' }), newJob({ queueName: 'mail' }), newJob({ queueName: 'mail' })]),
    );
    await task.run();
    await run(enqueue(org, [newJob({ queueName: 'mail' }), newJob({ queueName: 'other' })]));
    const [{ jobs }] = (await run(claim(org, { queueName: 'mail', limit: 3 }))) as [
      { jobs: { id: string; leaseId: string }[] },
    ];
    const held = (index: number) => ({ jobId: jobs[index]!.id, workerId: 'w1', leaseId: null, queues: null });
    await run(
      command('job.complete', org, { ...held(0), result: null }),
      command('job.fail', org, { ...held(1), error: 'boom', retry: true }),
    );
    await sample();
    const rows = await newest(org);
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
    await sample();
    expect(await newest(org)).toMatchObject({ mail: { created: 0, started: 0, completed: 0, processing: 1 } });
  });

  it('BX-25 are taken once, whichever replica comes first', async () => {
    const org = randomUUID();
    await task.run();
    await run(enqueue(org, [newJob()]));
    await pass(10);
    const replica = new SeriesTask(db, { SERIES_QUEUES_PER_ORGANIZATION: 2 });
    await Promise.all([task.run(), replica.run()]);
    const { rows } = await superuser.query(
      `SELECT sum(created) AS created, count(*) AS n FROM queue_series WHERE queue_name <> '' AND step = 10`,
    );
    expect(rows).toEqual([{ created: '1', n: '1' }]);
    expect(await task.run()).toBe(0);
  });

  it('BX-25 after a missed one cover both steps, and after minutes count nothing', async () => {
    const org = randomUUID();
    await task.run();
    await run(enqueue(org, [newJob()]));
    await sample(20);
    const spans = `SELECT counted_seconds FROM series_samples WHERE step = 10 ORDER BY at DESC LIMIT 1`;
    expect((await superuser.query(spans)).rows).toEqual([{ counted_seconds: 20 }]);
    expect((await newest(org))['']).toMatchObject({ created: 1 });
    await run(enqueue(org, [newJob()]));
    await sample(3_600);
    expect((await superuser.query(spans)).rows).toEqual([{ counted_seconds: 0 }]);
    await run(enqueue(org, [newJob()]));
    await sample();
    expect((await newest(org))['']).toMatchObject({ created: 1, pending: 3 });
  });

  it('BX-25 keep the busiest queues of an organization apart, and say how many are left out', async () => {
    const org = randomUUID();
    await task.run();
    const jobsOf = (queueName: string, count: number) => Array.from({ length: count }, () => newJob({ queueName }));
    await run(enqueue(org, [...jobsOf('a', 1), ...jobsOf('b', 3), ...jobsOf('c', 2)]));
    await sample();
    const rows = await newest(org);
    expect(Object.keys(rows).sort()).toEqual(['', 'b', 'c']);
    expect(rows['']).toMatchObject({ created: 6, left_out: 1 });
  });

  it('BX-25 start again after a queue and its counters were deleted', async () => {
    const org = randomUUID();
    await task.run();
    await run(enqueue(org, [newJob(), newJob()]));
    await sample();
    await superuser.query('DELETE FROM job_stats');
    await run(enqueue(org, [newJob()]));
    await sample();
    expect((await newest(org))['']).toMatchObject({ created: 1 });
  });

  it('BX-25 add up to minutes, and minutes to hours', async () => {
    const org = randomUUID();
    // An hour of minutes and the last one of samples, which end where the next sample begins.
    await superuser.query(
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
    await task.run();
    const { rows } = await superuser.query<Row>(
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
    const { rows: samples } = await superuser.query(
      // The sample of this run may be the last one of a minute, which is then added up too.
      `SELECT counted_seconds, has_depth FROM series_samples WHERE step > 10 AND at < date_bin('1 hour', now(), 'epoch')
       ORDER BY step DESC, at DESC LIMIT 2`,
    );
    expect(samples).toEqual([
      { counted_seconds: 3_600, has_depth: true },
      { counted_seconds: 60, has_depth: true },
    ]);
  });

  it('BX-25 have how long jobs waited and ran, by queue and in all', async () => {
    const org = randomUUID();
    await task.run();
    await run(
      enqueue(org, [newJob({ queueName: 'mail' }), newJob({ queueName: 'mail' }), newJob({ queueName: 'other' })]),
    );
    await superuser.query(
      `UPDATE job_queue SET created_at = created_at - interval '2 seconds' WHERE queue_name = 'mail'`,
    );
    const [mail, other] = await run(
      claim(org, { queueName: 'mail', limit: 2 }),
      claim(org, { queueName: 'other', limit: 1 }),
    );
    const end = ({ id }: { id: string }) =>
      command('job.complete', org, { jobId: id, workerId: 'w1', leaseId: null, queues: null, result: null });
    await superuser.query(
      `UPDATE job_queue SET started_at = started_at - interval '30 seconds' WHERE queue_name = 'other'`,
    );
    await run(end(mail!.jobs[0]!), end(other!.jobs[0]!));
    await latencies.flush();
    await sample();
    const rows = await newest(org);
    // 2 s and 30 s are in the buckets that begin at 1.78 s and 17.8 s.
    expect(rows['mail']).toMatchObject({ wait_buckets: [14], wait_jobs: [2], run_jobs: [1] });
    expect(rows['other']).toMatchObject({ wait_jobs: [1], run_buckets: [18], run_jobs: [1] });
    expect(rows['']).toMatchObject({ run_jobs: [1, 1] });
    expect((rows['']!.wait_jobs as number[]).reduce((sum, jobs) => sum + jobs)).toBe(3);
    // The sample took them, so that the next one does not count them again.
    await sample();
    expect((await newest(org))['mail']).toMatchObject({ wait_jobs: [], run_jobs: [] });
    expect(lost).toEqual([]);
  });

  it('BX-25 keep no measurements while nobody samples, so that they do not pile up', async () => {
    const org = randomUUID();
    const measure = async () => {
      await run(enqueue(org, [newJob()]));
      await run(claim(org, { limit: 1 }));
      await latencies.flush();
      return (await superuser.query('SELECT FROM latency_counts')).rowCount;
    };
    expect(await measure()).toBe(0);
    await task.run();
    expect(await measure()).toBe(1);
    await pass(600);
    expect(await measure()).toBe(1);
  });

  it('BX-25 do not count measurements from before the sampler was away, and take them away', async () => {
    const org = randomUUID();
    await task.run();
    const measure = async () => {
      await run(enqueue(org, [newJob({ queueName: 'mail' })]));
      await run(claim(org, { queueName: 'mail', limit: 1 }));
      await latencies.flush();
    };
    await measure();
    await superuser.query(`UPDATE latency_counts SET id = uuidv7(interval '-10 minutes')`);
    // As a scheduler of the previous release, which leaves them.
    await measure();
    expect((await superuser.query('SELECT FROM latency_counts')).rowCount).toBe(1);
    await sample();
    expect((await newest(org))['mail']).toMatchObject({ processing: 2, wait_jobs: [] });
    await measure();
    await sample();
    expect((await newest(org))['mail']).toMatchObject({ wait_jobs: [1] });
  });

  it('BX-25 are deleted when they are older than their step is kept', async () => {
    const org = randomUUID();
    for (const { stepSeconds, keptSeconds } of keptSeries) {
      for (const age of [keptSeconds + 60, keptSeconds - 60]) {
        await superuser.query(
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
    await task.run();
    const { rows } = await superuser.query(
      `SELECT step, count(*)::int AS n FROM queue_series WHERE queue_name = 'q' GROUP BY step ORDER BY step`,
    );
    expect(rows).toEqual(keptSeries.map(({ stepSeconds: step }) => ({ step, n: 1 })));
  });
});
