import { once } from 'node:events';
import {
  clockWithTimers,
  endTimersUntil,
  eventually,
  fromNow,
  gate,
  isRenewal,
  toldLeaseSeconds as leaseSeconds,
  toldTimeoutSeconds as timeoutSeconds,
} from '@spooled/testing';
import pg from 'pg';
import { EmbeddedFixture, endsAs, startWorker, stopWorkers } from './embedded.fixture.js';
import type { SourceContext } from './embedded-source.js';
import type { EmbeddedSpooled } from './index.js';

const ratesOf = (spooled: EmbeddedSpooled) => (spooled as unknown as { context: SourceContext }).context.rates;

let fixture: EmbeddedFixture;
let spooled: EmbeddedSpooled;
beforeAll(async () => {
  fixture = await EmbeddedFixture.open();
  spooled = await fixture.start();
});
afterEach(stopWorkers);
afterAll(() => fixture?.close());

describe('BX-18 PB-26 a worker in the process of the application', () => {
  it('BX-25 measures waits and run times for the series, at the latest when it closes', async () => {
    const organization = await fixture.organization();
    // Somebody samples.
    await fixture.sql('INSERT INTO series_samples SELECT 10, now(), now(), now(), 0, true ON CONFLICT DO NOTHING');
    const process = await fixture.start({ organization });
    await startWorker(process, { measured: () => 1 });
    const { id } = await process.jobs.create({ queueName: 'measured', payload: 1 });
    await endsAs(process, id, { status: 'completed' });
    await process.close();
    const counts = await fixture.sql(
      `SELECT queue_name, sum((SELECT sum(n) FROM unnest(wait_jobs) AS n))::int AS waits, sum((SELECT sum(n) FROM unnest(run_jobs) AS n))::int AS runs
       FROM latency_counts WHERE organization_id = $1 GROUP BY queue_name`,
      [organization],
    );
    expect(counts).toEqual([{ queue_name: 'measured', waits: 1, runs: 1 }]);
  });

  it('reports progress while a handler runs, and renews its lease', async () => {
    const release = gate();
    const { clock, endTimers } = clockWithTimers(isRenewal);
    await startWorker(
      spooled,
      {
        long: async (_job, { progress }) => {
          await progress(40, 'halfway');
          await release.opened;
        },
      },
      { leaseSeconds, clock },
    );
    const { id } = await spooled.jobs.create({ queueName: 'long', payload: 1, timeoutSeconds });
    await endsAs(spooled, id, { status: 'processing', progress: 40, progressMessage: 'halfway' });
    const { leaseExpiresAt } = await spooled.jobs.get(id);
    await eventually(async () => {
      endTimers();
      expect((await spooled.jobs.get(id)).leaseExpiresAt! > leaseExpiresAt!).toBe(true);
    });
    release.open();
    await endsAs(spooled, id, { status: 'completed', retryCount: 0 });
  });

  it('MQ-16 follows a higher rate of its queue, however long the lower one would make it wait', async () => {
    const setRate = (rate: number) =>
      fixture.sql(
        `INSERT INTO queue_config (organization_id, queue_name, rate_limit) VALUES ($1, 'rated', $2)
         ON CONFLICT (organization_id, queue_name) DO UPDATE SET rate_limit = $2`,
        [spooled.organizationId, rate],
      );
    await setRate(0.001);
    const runs: unknown[] = [];
    await startWorker(spooled, { rated: ({ id }) => void runs.push(id) });
    const jobs = [1, 2].map((payload) => ({ payload }));
    const { succeeded } = await spooled.jobs.createMany({ queueName: 'rated', jobs });
    await eventually(() => expect(runs).toHaveLength(1));
    await setRate(100);
    // As a process does after 30 s.
    ratesOf(spooled).forget(spooled.organizationId, 'rated');
    for (const { jobId } of succeeded) await endsAs(spooled, jobId, { status: 'completed' });
  });

  it('BX-25 gets no more jobs once it was told to drain, and others get them', async () => {
    const runs: string[] = [];
    const runAs = (workerId: string, concurrency: number) =>
      startWorker(spooled, { drained: () => void runs.push(workerId) }, { workerId, concurrency });
    await runAs('told', 50);
    await runAs('other', 1);
    await fixture.sql(
      `UPDATE workers SET status = 'draining', drain_requested_at = now() WHERE organization_id = $1 AND id = 'told'`,
      [spooled.organizationId],
    );
    const jobs = Array.from({ length: 40 }, (_, n) => ({ payload: n }));
    // It has read that within a second. With a concurrency of 50 it would take most of the jobs.
    await eventually(async () => {
      runs.length = 0;
      const { succeeded } = await spooled.jobs.createMany({ queueName: 'drained', jobs });
      for (const { jobId } of succeeded) await endsAs(spooled, jobId, { status: 'completed' });
      expect(new Set(runs)).toEqual(new Set(['other']));
    });
  });

  it('aborts the signal of a handler whose lease another worker has taken, and leaves its outcome alone', async () => {
    const signals: AbortSignal[] = [];
    const hold = (_job: unknown, { signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    const { clock, endTimers } = clockWithTimers(isRenewal);
    const worker = await startWorker(spooled, { taken: hold }, { leaseSeconds, clock });
    const lost = once(worker, 'leaseLost');
    const { id } = await spooled.jobs.create({ queueName: 'taken', payload: 1 });
    await endsAs(spooled, id, { status: 'processing' });
    await fixture.sql(
      `UPDATE job_queue SET worker_id = 'thief', lease_id = uuidv7(), lease_expires_at = now() + interval '1 hour' WHERE job_id = $1`,
      [id],
    );
    await endTimersUntil(lost, endTimers);
    expect(signals[0]!.aborted).toBe(true);
    expect(await spooled.jobs.get(id)).toMatchObject({ status: 'processing', assignedWorkerId: 'thief' });
  });

  it('ends an attempt at its timeout, also for a handler that reads its signal only then', async () => {
    // Its periodic work ends the attempt first if this process stands still.
    const maintained = await fixture.startWithMaintenance();
    let late: AbortSignal | undefined;
    const ended = gate();
    const worker = await startWorker(maintained, {
      slow: async (_job, context) => {
        await ended.opened;
        late = context.signal;
      },
    });
    const over = Promise.race([once(worker, 'failed'), once(worker, 'leaseLost')]);
    const { id } = await maintained.jobs.create({ queueName: 'slow', payload: 1, timeoutSeconds: 1, maxRetries: 0 });
    await over;
    ended.open();
    await eventually(() => expect(late?.aborted).toBe(true));
    expect(late!.reason).toMatchObject({ message: 'The handler took longer than 1 s' });
    const lastError = expect.stringContaining('took longer than') as unknown as string;
    await endsAs(maintained, id, { status: 'deadletter', lastError });
    // It would do the work of the next one, which is woken by its own only.
    await maintained.close(0);
  });

  it('gives handlers the priority, the age, the key and the trace of a job', async () => {
    const more = { priority: 7, idempotencyKey: 'order-1' };
    const { id } = await spooled.jobs.create({ queueName: 'described', payload: 1, ...more });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await fixture.sql('UPDATE jobs SET traceparent = $2 WHERE id = $1', [id, traceparent]);
    const seen: unknown[] = [];
    await startWorker(spooled, { described: (job) => void seen.push(job) });
    await endsAs(spooled, id, { status: 'completed' });
    const { createdAt } = await spooled.jobs.get(id);
    expect(seen).toEqual([expect.objectContaining({ id, createdAt, traceparent, ...more })]);
  });

  it('fails the attempt permanently whose result cannot be stored', async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    let runs = 0;
    await startWorker(spooled, {
      circular: () => (runs++, circular),
      huge: () => (runs++, 'x'.repeat(2 * 1024 * 1024)),
    });
    for (const [queueName, lastError] of [
      ['circular', 'circular structure'],
      ['huge', 'result'],
    ]) {
      const { id } = await spooled.jobs.create({ queueName: queueName!, payload: 1 });
      const text = expect.stringContaining(lastError!) as unknown as string;
      await endsAs(spooled, id, { status: 'deadletter', lastError: text, retryCount: 0 });
    }
    expect(runs).toBe(2);
  });

  it('fills its concurrency with several claims and never exceeds it, and a refused completion leaves the others alone', async () => {
    const [concurrency, jobs] = [120, 200];
    const release = gate();
    let [running, most] = [0, 0];
    const lost: string[] = [];
    let completed = 0;
    const worker = await startWorker(
      spooled,
      {
        half: async () => {
          most = Math.max(most, ++running);
          await release.opened;
          running--;
        },
      },
      { concurrency },
    );
    worker.on('leaseLost', ({ id }) => lost.push(id));
    worker.on('completed', () => completed++);
    await spooled.jobs.createMany({ queueName: 'half', jobs: Array.from({ length: jobs }, () => ({ payload: 1 })) });
    await eventually(() => expect(running).toBe(concurrency));
    const [taken] = await fixture.sql<{ job_id: string }>(
      `UPDATE job_queue SET worker_id = 'thief', lease_id = uuidv7(), lease_expires_at = now() + interval '1 hour'
       WHERE job_id = (SELECT job_id FROM job_queue WHERE queue_name = 'half' AND state = 'leased' LIMIT 1) RETURNING job_id`,
    );
    release.open();
    await eventually(() => expect([completed, lost]).toEqual([jobs - 1, [taken!.job_id]]));
    expect(most).toBe(concurrency);
    await worker.stop();
  });

  it('starts scheduled jobs when they are due, and what depends on a job when it ends, without a poll', async () => {
    const process = await fixture.startWithMaintenance();
    await startWorker(process, { later: () => 'done' }, { pollIntervalMs: 600_000 });
    const scheduledAt = fromNow(800).toISOString();
    const { id } = await process.jobs.create({ queueName: 'later', payload: 1, scheduledAt });
    const child = await process.jobs.create({ queueName: 'later', payload: 2, parentJobId: id });
    await endsAs(process, id, { status: 'completed' });
    await endsAs(process, child.id, { status: 'completed' });
    expect(Date.parse((await process.jobs.get(id)).startedAt!)).toBeGreaterThanOrEqual(Date.parse(scheduledAt));
  });

  it('starts a job that this process enqueues without a poll, and one of its transactions once it is woken', async () => {
    const client = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await client.connect();
    try {
      await startWorker(spooled, { woken: () => 'ok' }, { pollIntervalMs: 600_000 });
      for (let n = 0; n < 3; n++) {
        const { id } = await spooled.jobs.create({ queueName: 'woken', payload: n });
        await endsAs(spooled, id, { status: 'completed' });
      }
      await client.query('BEGIN');
      const { id } = await spooled.jobs.create({ queueName: 'woken', payload: 'in' }, { tx: client });
      await client.query('COMMIT');
      spooled.wake('woken');
      await endsAs(spooled, id, { status: 'completed' });
    } finally {
      await client.end();
    }
  });

  it('runs each of 2,000 jobs once, with three workers', async () => {
    const runs = new Map<number, number>();
    const payloads = Array.from({ length: 2_000 }, (_, n) => n);
    const count = ({ payload }: { payload: number }) => void runs.set(payload, (runs.get(payload) ?? 0) + 1);
    const workers = [1, 2, 3].map(() => startWorker(spooled, { flood: count }, { concurrency: 100 }));
    await Promise.all(workers);
    for (let first = 0; first < payloads.length; first += 500) {
      const jobs = payloads.slice(first, first + 500).map((payload) => ({ payload }));
      await spooled.jobs.createMany({ queueName: 'flood', jobs });
    }
    const left = () =>
      fixture.sql(`SELECT FROM job_queue WHERE organization_id = $1 AND queue_name = 'flood'`, [
        spooled.organizationId,
      ]);
    await eventually(async () => expect(await left()).toHaveLength(0), { timeoutMs: 60_000 });
    expect([runs.size, ...new Set(runs.values())]).toEqual([2_000, 1]);
  });
});

describe('BX-18 a worker that claims jobs ahead', () => {
  const leasedIn = (queue: string) =>
    fixture.sql<{ lease_expires_at: Date }>(
      `SELECT lease_expires_at FROM job_queue WHERE organization_id = $1 AND queue_name = $2 AND state = 'leased'`,
      [spooled.organizationId, queue],
    );
  const numbers = (count: number) => Array.from({ length: count }, (_, payload) => ({ payload }));

  it('runs all of them in order, one after another', async () => {
    const runs: unknown[] = [];
    await spooled.jobs.createMany({ queueName: 'ahead', jobs: numbers(60) });
    const run = async ({ payload }: { payload: unknown }) => void runs.push(payload);
    await startWorker(spooled, { ahead: run }, { concurrency: 1, prefetch: 20 });
    await eventually(() => expect(runs).toHaveLength(60));
    expect(runs).toEqual(numbers(60).map(({ payload }) => payload));
    await eventually(async () => expect(await leasedIn('ahead')).toHaveLength(0));
  });

  it('renews the leases of held jobs, and releases them without an attempt as soon as it stops', async () => {
    const [started, release] = [gate(), gate()];
    const hold = () => {
      started.open();
      return release.opened;
    };
    const jobs = numbers(10).map((job) => ({ ...job, timeoutSeconds }));
    const { succeeded } = await spooled.jobs.createMany({ queueName: 'held', jobs });
    const { clock, endTimers } = clockWithTimers(isRenewal);
    const ahead = { concurrency: 1, prefetch: 5 };
    const worker = await startWorker(spooled, { held: hold }, { ...ahead, leaseSeconds, clock });
    await started.opened;
    const before = await leasedIn('held');
    expect(before).toHaveLength(6);
    const latest = Math.max(...before.map(({ lease_expires_at: at }) => at.getTime()));
    await eventually(async () => {
      endTimers();
      const ends = (await leasedIn('held')).map(({ lease_expires_at: at }) => at.getTime());
      expect(ends.filter((end) => end > latest)).toHaveLength(6);
    });
    const stopped = worker.stop();
    await eventually(async () => expect(await leasedIn('held')).toHaveLength(1));
    release.open();
    await stopped;
    const ended = await Promise.all(succeeded.map(({ jobId }) => spooled.jobs.get(jobId)));
    expect(ended.map(({ status, retryCount }) => `${status} ${retryCount}`)).toEqual([
      'completed 0',
      ...Array.from({ length: 9 }, () => 'pending 0'),
    ]);
  });

  it.each(['own', 'other'])('does not begin a held job whose end its %s process requests', async (where) => {
    const [started, release] = [gate(), gate()];
    const ran: unknown[] = [];
    const run = async ({ payload }: { payload: unknown }) => {
      ran.push(payload);
      started.open();
      await release.opened;
    };
    const queue = `asked-by-${where}`;
    const { succeeded } = await spooled.jobs.createMany({ queueName: queue, jobs: numbers(3) });
    const { clock, endTimers } = clockWithTimers(isRenewal);
    await startWorker(spooled, { [queue]: run }, { concurrency: 1, prefetch: 5, leaseSeconds, clock });
    await started.opened;
    const id = succeeded[1]!.jobId;
    const { organizationId: organization } = spooled;
    const asking = where === 'own' ? spooled : await fixture.start({ organization });
    expect(await asking.jobs.requestCancellation(id)).toMatchObject({ status: 'processing' });
    // Other processes ask with the answer to a renewal.
    await eventually(async () => {
      if (where === 'other') endTimers();
      expect(await spooled.jobs.get(id)).toMatchObject({ status: 'cancelled' });
    });
    release.open();
    await eventually(() => expect(ran).toEqual([0, 2]));
  });

  it.each([-1, 1.5, 501])('refuses a prefetch of %d', (prefetch) => {
    expect(() => spooled.worker({ q: () => 1 }, { prefetch })).toThrow('from 0 to 500');
  });
});
