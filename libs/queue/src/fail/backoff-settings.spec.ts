import type { ClaimedJob } from '@spooled/contracts';
import { claim, command, enqueue, newJob } from '@spooled/testing';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';

describe('the delay of a retry', () => {
  const fixture = useEngine();
  let org: string;
  beforeEach(async () => void (org = await fixture.organization()));

  const configure = (settings: object, queueName = 'emails') =>
    fixture.sql('INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, $2, $3)', [
      org,
      queueName,
      JSON.stringify(settings),
    ]);

  /** The delays of the first attempts of a job, in seconds, as answered and as stored. */
  async function delaysOf(attempts: number, settings: object | null): Promise<[number, number][]> {
    const job = newJob({ maxRetries: attempts, settings: settings && JSON.stringify(settings) });
    await fixture.run(enqueue(org, [job]));
    const delays: [number, number][] = [];
    for (let i = 0; i < attempts; i++) {
      await fixture.claimOne(org);
      const { nextRetryDelaySecs } = await fixture.run(workerCommands(org).fail(job));
      const [row] = await fixture.sql<{ delay: number }>(
        `SELECT round(extract(epoch FROM due_at - h.at))::int AS delay FROM job_queue q JOIN LATERAL (
           SELECT at FROM job_history WHERE job_id = q.job_id AND event = 'failed' ORDER BY at DESC LIMIT 1) AS h ON true
         WHERE q.job_id = $1`,
        [job.id],
      );
      delays.push([nextRetryDelaySecs, row!.delay]);
      // Its delay is rounded.
      await fixture.pass(`${row!.delay + 1} s`);
    }
    await fixture.run(command('job.cancel', org, { jobId: job.id, queues: null }));
    return delays;
  }

  it('PB-20 begins with the 10 s that its queue sets, and doubles', async () => {
    await configure({ retry_delay_ms: 10_000, retry_jitter_ms: 0 });
    expect(await delaysOf(3, null)).toEqual([
      [10, 10],
      [20, 20],
      [40, 40],
    ]);
  });

  it('PB-20 is not that of another queue', async () => {
    for (const [queueName, delay] of Object.entries({ bills: 3_000, emails: 10_000, images: 4_000 }))
      await configure({ retry_delay_ms: delay, retry_jitter_ms: 0 }, queueName);
    expect(await delaysOf(1, null)).toEqual([[10, 10]]);
  });

  it('MQ-04 is that of the job, where it has its own', async () => {
    await configure({ retry_delay_ms: 10_000, retry_jitter_ms: 0 });
    expect(await delaysOf(2, { retry_strategy: 'fixed', retry_delay_ms: 3_000 })).toEqual([
      [3, 3],
      [3, 3],
    ]);
    expect(await delaysOf(2, { retry_strategy: 'linear' })).toEqual([
      [10, 10],
      [20, 20],
    ]);
  });

  it('MQ-04 is that of the job also in a queue without settings', async () => {
    expect(await delaysOf(1, { retry_delay_ms: 7_000, retry_jitter_ms: 0 })).toEqual([[7, 7]]);
  });

  it('MQ-04 differs between jobs that fail together, by the jitter of the queue', async () => {
    await configure({
      retry_strategy: 'fixed',
      retry_delay_ms: 1_000,
      max_retry_delay_ms: 86_400_000,
      retry_jitter_ms: 86_400_000,
    });
    await fixture.run(
      enqueue(
        org,
        Array.from({ length: 8 }, () => newJob({ timeoutSeconds: 10 })),
      ),
    );
    const { jobs } = await fixture.run(claim(org, { limit: 8 }));
    const [reported, timedOut] = [jobs.slice(0, 4), jobs.slice(4)];
    await fixture.engine.execute(reported.map((job) => workerCommands(org).fail(job)));
    await fixture.pass('11 s');
    await fixture.maintenance.recoverExpiredLeases(100);
    for (const failed of [reported, timedOut]) {
      const [row] = await fixture.sql<{ seconds: number }>(
        `SELECT extract(epoch FROM max(due_at) - min(due_at))::float8 AS seconds FROM job_queue WHERE job_id = ANY ($1)`,
        [failed.map(({ id }) => id)],
      );
      // Four times of a day are within a minute of each other once in 10^8 runs.
      expect(row!.seconds).toBeGreaterThan(60);
    }
  });

  describe('whatever ends the attempt', () => {
    const ofQueue = { retry_delay_ms: 20_000, retry_jitter_ms: 0 };
    const ofJob = { retry_strategy: 'fixed', retry_delay_ms: 60_000, retry_jitter_ms: 0 };
    /** Seconds that the job waits when it holds a lease of 30 s, or has taken its 10 s. */
    const endings: Record<string, { seconds: number; end(job: ClaimedJob): Promise<unknown> }> = {
      failed: { seconds: 60, end: (job) => fixture.run(workerCommands(org).fail(job)) },
      timeout: { seconds: 10, end: () => passAndRecover('12 s') },
      lease_expired: { seconds: 60, end: () => passAndRecover('31 s') },
      worker_lost: {
        seconds: 60,
        end: () => fixture.maintenance.recoverJobsOfWorkers([{ organizationId: org, id: 'w1' }]),
      },
    };
    const settings = {
      nowhere: { queue: null, job: null, delay: 1 },
      'in the queue': { queue: ofQueue, job: null, delay: 20 },
      'in the job': { queue: null, job: ofJob, delay: 60 },
      'in both': { queue: ofQueue, job: ofJob, delay: 60 },
    };
    const cases = Object.keys(endings).flatMap((event) =>
      Object.entries(settings).map(([where, { queue, job, delay }]) => {
        const expected = event === 'failed' || event === 'timeout' ? delay : 0;
        return { event, where, queue, job, expected };
      }),
    );

    async function passAndRecover(time: string): Promise<void> {
      await fixture.pass(time);
      await fixture.maintenance.recoverExpiredLeases(100);
    }

    it.each(cases)('MQ-04 $event, set $where: $expected s', async ({ event, queue, job, expected }) => {
      if (queue) await configure(queue);
      const { seconds: timeoutSeconds, end } = endings[event]!;
      await fixture.run(enqueue(org, [newJob({ timeoutSeconds, settings: job && JSON.stringify(job) })]));
      const claimed = await fixture.claimOne(org);
      await end(claimed);
      expect(
        await fixture.sql('SELECT event FROM job_history WHERE job_id = $1 AND attempt = 1', [claimed.id]),
      ).toContainEqual({ event });
      const [row] = await fixture.sql<{ delay: number }>(
        `SELECT extract(epoch FROM q.due_at - h.at)::float8 AS delay FROM job_queue q JOIN job_history h USING (job_id)
         WHERE q.job_id = $1 AND h.event = $2`,
        [claimed.id, event],
      );
      // Without settings there is a jitter of up to half a second.
      expect(row!.delay).toBeGreaterThanOrEqual(expected);
      expect(row!.delay).toBeLessThan(expected + 0.6);
    });
  });
});
