import { randomUUID } from 'node:crypto';
import type { Database } from '@spooled/data-access';
import type { ClaimedJob, Command } from '@spooled/contracts';
import { latencyBucket } from '@spooled/domain';
import {
  claim,
  command,
  enqueue,
  eventually,
  ManualClock,
  newJob,
  openConnections,
  unlimited,
  useConnections,
  useDatabase,
  useSuperuser,
} from '@spooled/testing';
import { JobEngine } from '../engine/job-engine.js';
import { Latencies } from './latencies.js';

const database = useDatabase();
const db = useConnections(database, { maxConnections: 2 });
const superuser = useSuperuser(database);
let latencies: Latencies;
let errors: unknown[];

const open = (store: Database) =>
  new Latencies(store, { flushMs: 3_600_000, onError: (error) => void errors.push(error) });

beforeAll(async () => {
  // Somebody samples.
  await superuser.query(`INSERT INTO series_samples SELECT 10, now(), now(), now(), 0, true`);
});
beforeEach(() => {
  errors = [];
  latencies = open(db);
});
afterEach(() => latencies.close());

/** What is recorded of an organization, by queue: the number of waits and run times. */
async function recorded(org: string): Promise<Record<string, { waits: number; runs: number }>> {
  const { rows } = await superuser.query<{ queue_name: string; waits: number; runs: number }>(
    `SELECT queue_name, sum((SELECT sum(n) FROM unnest(wait_jobs) AS n))::int AS waits, sum((SELECT sum(n) FROM unnest(run_jobs) AS n))::int AS runs
     FROM latency_counts WHERE organization_id = $1 GROUP BY queue_name`,
    [org],
  );
  return Object.fromEntries(rows.map(({ queue_name, ...counts }) => [queue_name, counts]));
}

describe('BX-25 measurements of latency', () => {
  it('BX-25 count each attempt that began and each job that completed once, for its own organization', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const engine = new JobEngine(db, { onEffects: () => undefined, latencies });
    await engine.execute([enqueue(one, [newJob(), newJob()]), enqueue(other, [newJob()])]);
    const [outcome] = await engine.execute([claim(one, { limit: 2 }), claim(other, { limit: 1 })]);
    const [job] = (outcome as { value: { jobs: { id: string }[] } }).value.jobs;
    const complete = command('job.complete', one, {
      jobId: job!.id,
      workerId: 'w1',
      leaseId: null,
      queues: null,
      result: null,
    });
    // Delivered twice, and by a worker of another organization.
    await engine.execute([complete]);
    await engine.execute([{ ...complete, redelivered: true }]);
    await engine.execute([{ ...complete, organizationId: other, id: randomUUID() }]);
    await latencies.flush();
    const [queue] = Object.keys(await recorded(one));
    expect(await recorded(one)).toEqual({ [queue!]: { waits: 2, runs: 1 } });
    expect(await recorded(other)).toEqual({ [queue!]: { waits: 1, runs: null } });
    expect(errors).toEqual([]);
  });

  it('BX-25 of a replayed job begin with its replay, also in the totals and the age of the oldest job', async () => {
    const org = randomUUID();
    const engine = new JobEngine(db, { onEffects: () => undefined, latencies });
    const run = async <T>(one: Command) => {
      const [outcome] = await engine.execute([one]);
      return (outcome as unknown as { value: T }).value;
    };
    const claimOne = async () => (await run<{ jobs: ClaimedJob[] }>(claim(org))).jobs[0]!;
    await run(enqueue(org, [newJob({ maxRetries: 0 })]));
    const { id, leaseId } = await claimOne();
    const held = { jobId: id, workerId: 'w1', leaseId, queues: null };
    await run(command('job.fail', org, { ...held, error: 'no', retry: true }));
    await superuser.query(`UPDATE jobs SET created_at = now() - interval '5 hours' WHERE id = $1`, [id]);
    await run(
      command('deadletter.retry', org, {
        jobIds: [id],
        queueName: null,
        limit: 1,
        quota: unlimited,
        maxWorkflows: null,
      }),
    );
    const { rows: live } = await superuser.query<{ created: number; waits: number }>(
      `SELECT extract(epoch FROM now() - created_at)::int AS created, extract(epoch FROM now() - due_at)::int AS waits
       FROM job_queue WHERE job_id = $1`,
      [id],
    );
    expect(live[0]!.created).toBeGreaterThanOrEqual(5 * 3_600);
    expect(live[0]!.waits).toBeLessThan(3_600);

    const again = await claimOne();
    await run(command('job.complete', org, { ...held, jobId: again.id, leaseId: again.leaseId, result: null }));
    await latencies.flush();
    const { rows } = await superuser.query<{ longest: number; total: string }>(
      `SELECT max(wait_buckets[cardinality(wait_buckets)]) AS longest,
         (SELECT sum(wait_ms) FROM job_stats WHERE organization_id = $1) AS total
       FROM latency_counts WHERE organization_id = $1`,
      [org],
    );
    expect(rows[0]!.longest).toBeLessThan(latencyBucket(3_600_000));
    expect(Number(rows[0]!.total)).toBeLessThan(3_600_000);
  });

  it('BX-25 are recorded once, also those of the last seconds before a process ends', async () => {
    const organizationId = randomUUID();
    latencies.add([{ organizationId, queueName: 'mail', ms: { wait: 5, run: 7 } }]);
    await Promise.all([latencies.flush(), latencies.flush()]);
    latencies.add([{ organizationId, queueName: 'mail', ms: { run: 7 } }]);
    await latencies.close();
    expect(await recorded(organizationId)).toEqual({ mail: { waits: 1, runs: 2 } });
  });

  it('BX-25 are recorded two seconds before each sample, until the process ends', async () => {
    const clock = new ManualClock(Date.parse('2030-01-01T00:00:03Z'));
    const timed = new Latencies(db, { clock, onError: (error) => void errors.push(error) });
    const organizationId = randomUUID();
    timed.add([{ organizationId, queueName: 'mail', ms: { run: 7 } }]);
    expect(clock.timers).toEqual([5_000]);
    await clock.advance(5_000);
    expect(clock.timers).toEqual([10_000]);
    await eventually(async () => expect(await recorded(organizationId)).toEqual({ mail: { waits: null, runs: 1 } }));
    await timed.close();
    expect([clock.timers, errors]).toEqual([[], []]);
  });

  it.each([
    [
      'a sample was taken within five minutes',
      `step = 10, at = now() - interval '4 min'`,
      { mail: { waits: null, runs: 1 } },
    ],
    ['none was', `step = 10, at = now() - interval '5 min 1 s'`, {}],
    ['only samples were added up', `step = 60, at = now()`, {}],
  ])('BX-25 are kept if %s', async (_, change, expected) => {
    const organizationId = randomUUID();
    await superuser.query(`UPDATE series_samples SET ${change}`);
    latencies.add([{ organizationId, queueName: 'mail', ms: { run: 7 } }]);
    await latencies.flush();
    await superuser.query('UPDATE series_samples SET step = 10, at = now()');
    expect(await recorded(organizationId)).toEqual(expected);
    expect(errors).toEqual([]);
  });

  it('BX-25 are lost, and nothing else, while PostgreSQL is away', async () => {
    const away = openConnections({
      appUrl: 'postgresql://a@127.0.0.1:1/none',
      systemUrl: 'postgresql://a@127.0.0.1:1/none',
    });
    const lost = open(away);
    lost.add([{ organizationId: randomUUID(), queueName: 'mail', ms: { run: 7 } }]);
    await lost.flush();
    await lost.close();
    await away.close();
    expect(errors).toHaveLength(1);
  });

  it('BX-25 are kept of 10,000 queues at most', async () => {
    const organizationId = randomUUID();
    const names = Array.from({ length: 10_050 }, (_, index) => `queue-${index}`);
    latencies.add(names.map((queueName) => ({ organizationId, queueName, ms: { wait: 1 } })));
    // Queues that are known continue to be counted.
    latencies.add([{ organizationId, queueName: 'queue-0', ms: { wait: 1 } }]);
    await latencies.flush();
    const found = await recorded(organizationId);
    expect(errors).toEqual([]);
    expect(Object.keys(found)).toHaveLength(10_000);
    expect(found['queue-0']).toEqual({ waits: 2, runs: null });
    expect(errors).toEqual([]);
  });
});
