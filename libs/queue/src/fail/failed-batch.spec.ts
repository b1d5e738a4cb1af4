import type { ClaimedJob } from '@spooled/contracts';
import type { Transaction } from '@spooled/data-access';
import { claim, command, enqueue, newJob } from '@spooled/testing';
import pg from 'pg';
import { EffectsBuilder } from '../step/effects.js';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';
import { applyFailures } from './apply-failures.js';

const fixture = useEngine();
let org: string;
let other: string;
beforeEach(async () => void ([org, other] = [await fixture.organization(), await fixture.organization()]));

const traceparent = (n: number) => `00-0af7651916cd43dd8448eb211c80319c-b7ad6b71692033${n}${n}-01`;

/** Claimed jobs of types `type-0`, `type-1` and so on, each with a trace of its own. */
async function claimed(count: number, organizationId = org): Promise<ClaimedJob[]> {
  for (let n = 0; n < count; n++)
    await fixture.run({ ...enqueue(organizationId, [newJob({ jobType: `type-${n}` })]), traceparent: traceparent(n) });
  return (await fixture.run(claim(organizationId, { limit: count }))).jobs;
}

const fail = (job: ClaimedJob, error: string, more: { retry?: boolean; minDelayMs?: number } = {}, of = org) =>
  command('job.fail', of, { ...workerCommands(of).proof(job), error, retry: true, ...more });

/** Two that are retried and two dead letters, in one batch, with one of another organization. */
async function failFour(): Promise<ClaimedJob[]> {
  const jobs = await claimed(4);
  const [theirs] = await claimed(1, other);
  await fixture.sql(`UPDATE job_queue SET progress = 10, progress_message = 'ten' WHERE job_id = $1`, [jobs[0]!.id]);
  fixture.effects.length = 0;
  await fixture.engine.execute([
    fail(jobs[0]!, 'error 0', { minDelayMs: 100_000 }),
    fail(jobs[1]!, 'error 1', { retry: false }),
    fail(theirs!, 'theirs', { retry: false }, other),
    fail(jobs[2]!, 'error 2', { minDelayMs: 200_000 }),
    fail(jobs[3]!, 'error 3', { retry: false }),
  ]);
  return jobs;
}

const seconds = (expression: string) => `round(extract(epoch FROM ${expression}))::int`;

describe('attempts that fail in one batch', () => {
  it('SP-28 are retried each with its own error and delay, and their records do not end', async () => {
    const [first, , second] = await failFour();
    const live = await fixture.sql(
      `SELECT q.job_id, q.state, q.retry_count, q.last_error, ${seconds('q.due_at - h.at')} AS delay, q.lease_id,
         q.lease_expires_at, q.worker_id, q.started_at, j.outcome, j.last_error AS recorded
       FROM job_queue q JOIN jobs j ON j.id = q.job_id JOIN job_history h ON h.job_id = q.job_id AND h.event = 'failed'
       WHERE q.organization_id = $1 ORDER BY q.last_error`,
      [org],
    );
    const free = { lease_id: null, lease_expires_at: null, worker_id: null, started_at: null };
    const retried = { state: 'retrying', retry_count: 1, ...free, outcome: null, recorded: null };
    expect(live).toEqual([
      { job_id: first!.id, last_error: 'error 0', delay: 100, ...retried },
      { job_id: second!.id, last_error: 'error 2', delay: 200, ...retried },
    ]);
  });

  it('SP-28 become dead letters each with its own error and type, and leave no live row', async () => {
    const [, first, , second] = await failFour();
    const dead = await fixture.sql(
      `SELECT d.job_id, d.queue_name, d.job_type, d.dead_at = h.at AS at_once, d.created_at = j.created_at AS as_created, j.outcome,
         j.last_error, j.retry_count, j.started_at = h.started_at AS as_started, j.assigned_worker_id, j.lease_id
       FROM dead_letters d JOIN jobs j ON j.id = d.job_id JOIN job_history h ON h.job_id = d.job_id AND h.event = 'failed'
       WHERE d.organization_id = $1 ORDER BY d.job_type`,
      [org],
    );
    const same = {
      queue_name: 'emails',
      at_once: true,
      as_created: true,
      outcome: 'deadletter',
      retry_count: 0,
      as_started: true,
      assigned_worker_id: null,
      lease_id: null,
    };
    expect(dead).toEqual([
      { job_id: first!.id, job_type: 'type-1', last_error: 'error 1', ...same },
      { job_id: second!.id, job_type: 'type-3', last_error: 'error 3', ...same },
    ]);
    const groups = await fixture.sql('SELECT DISTINCT group_id FROM dead_letters WHERE organization_id = $1', [org]);
    expect(groups).toHaveLength(2);
  });

  it('are written into the history with what was decided and how far they were', async () => {
    const jobs = await failFour();
    const history = await fixture.sql(
      `SELECT job_id, attempt, worker_id, lease_id, error, (details ->> 'will_retry')::boolean AS will_retry,
         ${seconds(`(details ->> 'scheduled_at')::timestamptz - at`)} AS delay, details ->> 'progress_message' AS progress
       FROM job_history WHERE organization_id = $1 AND event = 'failed' ORDER BY error`,
      [org],
    );
    const entry = (n: number, more: object) => {
      const { id, leaseId } = jobs[n]!;
      return {
        job_id: id,
        attempt: 1,
        worker_id: 'w1',
        lease_id: leaseId,
        error: `error ${n}`,
        progress: null,
        ...more,
      };
    };
    expect(history).toEqual([
      entry(0, { will_retry: true, delay: 100, progress: 'ten' }),
      entry(1, { will_retry: false, delay: null }),
      entry(2, { will_retry: true, delay: 200 }),
      entry(3, { will_retry: false, delay: null }),
    ]);
    expect(await fixture.sql(`SELECT job_id FROM job_history WHERE organization_id = $1`, [other])).toHaveLength(1);
  });

  it('are counted once, also by the hour and by their workers', async () => {
    const sums = `SELECT sum(retried)::int AS retried, sum(deadlettered)::int AS dead, count(*)::int AS rows FROM job_stats
       WHERE organization_id = $1 AND (retried > 0 OR deadlettered > 0)`;
    await failFour();
    expect(await fixture.sql(sums, [org])).toEqual([{ retried: 2, dead: 2, rows: 1 }]);
    await failFour();
    expect(await fixture.sql(sums, [org])).toMatchObject([{ retried: 4, dead: 4 }]);
    const counts = await fixture.sql(
      'SELECT failed, workers, jobs FROM worker_counts WHERE organization_id = $1 ORDER BY at LIMIT 1',
      [org],
    );
    expect(counts).toEqual([{ failed: true, workers: ['w1'], jobs: [4] }]);
  });

  it('are announced each with its own error, outcome and trace', async () => {
    const jobs = await failFour();
    const outcomes = fixture
      .events(org)
      .flatMap(({ data }) => ('new_status' in data ? [[data.job_id, data.old_status, data.new_status]] : []));
    expect(outcomes).toEqual(jobs.map(({ id }, n) => [id, 'processing', n % 2 === 0 ? 'pending' : 'deadletter']));
    const announced = fixture.events(org).flatMap(({ type, data }) => ('error' in data ? [{ type, ...data }] : []));
    expect(announced.map(({ type, job_id, error }) => [type, job_id, error])).toEqual(
      jobs.map(({ id }, n) => ['JobFailed', id, `error ${n}`]),
    );
    const spans = fixture.effects
      .flatMap((effects) => effects.spans)
      .filter(({ organizationId }) => organizationId === org);
    expect(spans.map(({ name, jobId, traceparent: trace }) => [name, jobId, trace])).toEqual(
      jobs.map(({ id }, n) => ['attempt', id, traceparent(n)]),
    );
  });

  it('are written in the order of their organizations, so that two batches never wait for each other', async () => {
    const batches: unknown[] = [];
    const one = (_: unknown, { batch }: { batch: string }) => {
      const parts = JSON.parse(batch) as { organization: string; items: { id: string }[] }[];
      batches.push(parts.map(({ organization, items }) => [organization, ...items.map(({ id }) => id)]));
      const none = { failed: [], ended: [], cancelled: [], children: [], deliveries: [], freed: [] };
      return Promise.resolve({ answer: { now: '', ...none } });
    };
    const apply = (...attempts: [organizationId: string, jobId: string, cancelRequested?: boolean][]) =>
      applyFailures(
        { one } as unknown as Transaction,
        attempts.map(([organizationId, jobId, cancelRequested = false]) => {
          return { ...ended, organizationId, jobId, cancelRequested };
        }),
        new EffectsBuilder(),
        () => 0,
      );
    const more = {
      settings: null,
      error: 'e',
      event: 'failed',
      retry: true,
      backoff: true,
    } as const;
    const ended = { retryCount: 0, maxRetries: 1, ...more };
    await apply(['c', '1'], ['a', '2'], ['b', '3'], ['a', '4']);
    await apply(['b', '5'], ['a', '6']);
    await apply(['b', '7'], ['b', '8', true], ['a', '9', true], ['c', '10']);
    expect(await apply()).toEqual([]);
    expect(batches).toEqual([
      [
        ['a', '2', '4'],
        ['b', '3'],
        ['c', '1'],
      ],
      [
        ['a', '6'],
        ['b', '5'],
      ],
      [['a', '9']],
      [['b', '7']],
      [['b', '8']],
      [['c', '10']],
    ]);
  });
});

it('SP-53 subscribers learn which attempts are retried and when, and which jobs are dead', async () => {
  for (const organization of [org, other]) {
    await fixture.sql(
      `INSERT INTO outgoing_webhooks (organization_id, name, url, events)
       VALUES ($1, 'all', 'http://localhost:9/', '{job.failed,job.deadlettered,job.retried}')`,
      [organization],
    );
  }
  const settings = JSON.stringify({ retry_delay_ms: 0, retry_jitter_ms: 0 });
  const jobs = await failFour();
  await fixture.run(enqueue(org, [newJob({ settings })]));
  const atOnce = await fixture.claimOne(org);
  await fixture.pass('31 s');
  await fixture.maintenance.recoverExpiredLeases(10);
  const deliveries = await fixture.sql(
    `SELECT event, job_id, payload::jsonb - 'job_id' - 'queue_name' - 'scheduled_at' AS payload, payload ->> 'queue_name' AS queue,
       payload ->> 'job_id' = job_id::text AS own,
       (SELECT (payload ->> 'scheduled_at')::timestamptz = q.due_at FROM job_queue q WHERE q.job_id = d.job_id) AS when_due
     FROM webhook_deliveries d WHERE organization_id = $1 ORDER BY event, payload ->> 'error', payload ->> 'reason', job_id`,
    [org],
  );
  const [first, dead, second, last] = jobs.map(({ id }) => id);
  const dies = (event: string, job_id: string | undefined, payload: object) => {
    return { event, job_id, payload: { status: 'deadletter', ...payload }, queue: 'emails', own: true, when_due: null };
  };
  const retried = (job_id: string | undefined, reason: string, when_due: boolean | null) => {
    const payload = { status: 'pending', retry_count: 1, reason };
    return { event: 'job.retried', job_id, payload, queue: 'emails', own: true, when_due };
  };
  expect(deliveries).toEqual([
    dies('job.deadlettered', dead, { error: 'error 1', retry_count: 0 }),
    dies('job.deadlettered', last, { error: 'error 3', retry_count: 0 }),
    dies('job.failed', dead, { error: 'error 1' }),
    dies('job.failed', last, { error: 'error 3' }),
    retried(first, 'failure', true),
    retried(second, 'failure', true),
    // A lost lease is retried at once, so it names no time.
    retried(atOnce.id, 'lease_expired', null),
  ]);
});

it('SP-25 a failure by the name of the worker ends only the job that is named', async () => {
  const [first, second] = await claimed(2);
  await fixture.run(workerCommands(org).fail({ id: second!.id }));
  const left = await fixture.sql(`SELECT job_id FROM job_queue WHERE organization_id = $1 AND state = 'leased'`, [org]);
  expect(left).toEqual([{ job_id: first!.id }]);
});

it('lost leases do not count as failures of their workers', async () => {
  const [job] = await claimed(1);
  await fixture.pass('31 s');
  await fixture.maintenance.recoverExpiredLeases(10);
  expect(await fixture.job(job!.id)).toMatchObject({ retry_count: 1 });
  expect(await fixture.sql('SELECT FROM worker_counts WHERE organization_id = $1', [org])).toEqual([]);
});

it('SP-28 a dead letter cancels the jobs that need it, and no others', async () => {
  const [dead, retried] = await claimed(2);
  const [child, childOfRetried] = [newJob(), newJob()];
  await fixture.run(enqueue(org, [child, childOfRetried]));
  const depend = (jobId: string, parent: ClaimedJob) =>
    fixture.run(command('job.addDependencies', org, { jobId, dependsOn: [parent.id], mode: null, queues: null }));
  await depend(child.id, dead!);
  await depend(childOfRetried.id, retried!);
  await fixture.engine.execute([fail(retried!, 'again'), fail(dead!, 'no', { retry: false })]);
  expect((await fixture.job(child.id)).status).toBe('cancelled');
  const cancelled = fixture
    .events(org)
    .flatMap(({ data }) => ('new_status' in data && data.new_status === 'cancelled' ? [data.job_id] : []));
  expect(cancelled).toEqual([child.id]);
  expect((await fixture.job(childOfRetried.id)).status).toBe('pending');
});

it('BX-01 a failure leaves no organization behind on its connection', async () => {
  const app = new pg.Client({ connectionString: fixture.database.appUrl });
  await app.connect();
  const batch = JSON.stringify([{ organization: org, items: [] }]);
  for (const name of ['lock_failed_jobs_v1', 'apply_failures_v1']) {
    await app.query(`SELECT FROM ${name}($1)`, [batch]);
    const { rows } = await app.query<{ org: string }>(`SELECT current_setting('app.current_org_id') AS org`);
    expect([name, rows]).toEqual([name, [{ org: '' }]]);
  }
  await app.end();
});
