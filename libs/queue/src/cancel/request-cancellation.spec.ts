import type { ClaimedJob, CommandBody, CommandOf, LeaseStore, PresentedLease } from '@spooled/contracts';
import { claim, command, enqueue, newJob } from '@spooled/testing';
import { JobEngine } from '../engine/job-engine.js';
import { EngineFixture, refusal, workerCommands } from '../testing/job-lifecycle.fixture.js';

let fixture: EngineFixture;
let org: string;
beforeAll(async () => void (fixture = await EngineFixture.open()));
beforeEach(async () => {
  org = await fixture.organization();
  fixture.effects.length = 0;
});
afterAll(async () => {
  expect(fixture.errors).toEqual([]);
  await fixture.close();
});

type Options = Partial<CommandBody<'job.requestCancellation'>>;

const actor = 'key 019aa0e8-0000-7000-8000-000000000000 Support';
const origin = { address: '192.0.2.7', userAgent: 'curl/8.7' };
const request = (jobId: string, options: Options = {}, of = org): CommandOf<'job.requestCancellation'> =>
  command(
    'job.requestCancellation',
    of,
    { jobId, queues: null, reason: null, force: false, graceSeconds: null, ...options },
    { actor, origin },
  );
const ask = (job: { id: string }, options?: Options) => fixture.run(request(job.id, options));

const held = async (more: Parameters<typeof newJob>[0] = {}): Promise<ClaimedJob> => {
  await fixture.run(enqueue(org, [newJob(more)]));
  return fixture.claimOne(org);
};
const renew = (job: ClaimedJob, leaseSeconds = 30) =>
  fixture.run(command('job.renew', org, { ...workerCommands(org).proof(job), leaseSeconds }));
const complete = (job: ClaimedJob) => fixture.run(workerCommands(org).complete(job));
const fail = (job: ClaimedJob, retry = true) => fixture.run(workerCommands(org).fail(job, retry));
const release = (job: ClaimedJob) =>
  fixture.run(command('job.release', org, { leases: [{ jobId: job.id, leaseId: job.leaseId }], delivered: true }));
const recover = () => fixture.maintenance.recoverExpiredLeases(10);
const historyOf = async (id: string) => {
  const rows = await fixture.sql<{ event: string; reason: string | null; actor: string | null }>(
    `SELECT event, details ->> 'reason' AS reason, actor FROM job_history WHERE job_id = $1 ORDER BY at, id`,
    [id],
  );
  return rows.map(({ event, reason, actor: by }) => [event, reason, by].filter((part) => part !== null).join(' · '));
};
const byJob = (a: { job_id: string }, b: { job_id: string }) => (a.job_id < b.job_id ? -1 : 1);
const statusOf = async (id: string) => (await fixture.job(id)).status;
/** Jobs that a worker could claim now, or after their delay. */
const claimable = async () => {
  await fixture.pass('1 hour');
  await fixture.maintenance.activateDue(10);
  return (await fixture.run(claim(org, { limit: 10 }))).jobs.map(({ id }) => id);
};

describe('BX-30 a request to cancel a running job', () => {
  it('is recorded once, and told with every renewal; the job runs on', async () => {
    const job = await held();
    const answer = await ask(job, { reason: 'wrong customer' });
    expect(answer).toEqual({ status: 'processing', requestedAt: expect.any(String) });
    expect(await ask(job, { reason: 'again' })).toEqual(answer);
    expect(await renew(job)).toMatchObject({ cancelRequested: true });
    expect(await renew(job)).toMatchObject({ cancelRequested: true });
    const asked = await fixture.job(job.id);
    expect(asked).toMatchObject({ status: 'processing', cancel_requested_at: new Date(answer.requestedAt!) });
    expect(await historyOf(job.id)).toEqual([`cancel_requested · wrong customer · ${actor}`]);
    const audited = await fixture.sql(
      `SELECT action, actor, target_kind, address, user_agent AS "userAgent", after FROM audit_log WHERE organization_id = $1 AND actor = $2`,
      [org, actor],
    );
    expect(audited).toEqual([
      {
        action: 'job.cancellation_requested',
        actor,
        target_kind: 'job',
        ...origin,
        after: { worker_id: 'w1', reason: 'wrong customer', force: false, grace_seconds: null },
      },
    ]);
  });

  it('is sent to the worker and to live events, once', async () => {
    const job = await held();
    await ask(job);
    await ask(job);
    const sent = fixture.effects.flatMap(({ cancelRequests }) => cancelRequests);
    expect(sent).toEqual([{ organizationId: org, jobId: job.id, leaseId: job.leaseId }]);
    const events = fixture.events(org).filter(({ type }) => type === 'JobCancelRequested');
    expect(events).toEqual([
      { type: 'JobCancelRequested', data: expect.objectContaining({ job_id: job.id, worker_id: 'w1', reason: null }) },
    ]);
  });

  it('ends leases in the lease store, and keeps the time in their rows that it had given', async () => {
    const asked: string[] = [];
    const ended: object[] = [];
    const alive = (some: PresentedLease[]) => {
      asked.push(...some.map(({ jobId }) => jobId));
      return Promise.resolve(some.map(({ leaseId }) => ({ leaseId, leftMs: 60_000 })));
    };
    const end = (some: object[]) => Promise.resolve(ended.push(...some));
    const engine = new JobEngine(fixture.db, {
      onEffects: () => undefined,
      leases: { alive, end } as unknown as LeaseStore,
    });
    const [renewed, other] = [await held(), await held()];
    await renew(renewed);
    for (const { id } of [renewed, other]) expect(await engine.execute([request(id)])).toMatchObject([{ ok: true }]);
    const lease = ({ id: jobId, leaseId }: ClaimedJob) => ({ organizationId: org, jobId, leaseId });
    expect([asked, ended.splice(0)]).toEqual([[renewed.id], [lease(renewed)]]);
    const longer = await fixture.sql<{ job_id: string }>(
      `SELECT job_id FROM job_queue WHERE organization_id = $1 AND lease_expires_at > current_ts() + interval '50 s'`,
      [org],
    );
    expect(longer).toEqual([{ job_id: renewed.id }]);
    const failures = [renewed, other].map((job) => workerCommands(org).fail(job));
    expect(await engine.execute(failures)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(ended).toEqual(expect.arrayContaining([renewed, other].map(lease)));
  });

  it('says nothing to the workers of other jobs, and reaches no job of others', async () => {
    const [asked, other] = [await held(), await held()];
    await ask(asked);
    expect(await renew(other)).toEqual({ leaseExpiresAt: expect.any(String) });
    const foreign = request(other.id, {}, await fixture.organization());
    await expect(fixture.run(foreign)).rejects.toEqual(refusal(404, 'NOT_FOUND'));
    await expect(ask(other, { queues: ['bills'] })).rejects.toEqual(refusal(404, 'NOT_FOUND'));
    expect(await fixture.job(other.id)).toMatchObject({ cancel_requested_at: null });
  });

  it('cancels a waiting job at once, and is refused for one that has ended', async () => {
    const waiting = newJob();
    await fixture.run(enqueue(org, [waiting]));
    expect(await ask(waiting, { reason: 'not needed' })).toEqual({ status: 'cancelled', requestedAt: null });
    expect(await fixture.job(waiting.id)).toMatchObject({ status: 'cancelled', last_error: 'not needed' });
    expect(await historyOf(waiting.id)).toEqual([`cancelled · manual · ${actor}`]);
    const ended = { status: 409, message: 'Job cannot be cancelled: it is cancelled' };
    await expect(ask(waiting)).rejects.toMatchObject(ended);
    const parent = newJob();
    await fixture.run(enqueue(org, [parent]));
    await fixture.run(enqueue(org, [newJob({ parentJobId: parent.id })]));
    await ask(parent);
    const acts = 'SELECT action, target_id, after FROM audit_log WHERE organization_id = $1 AND actor = $2';
    const audited = await fixture.sql(acts, [org, actor]);
    expect(audited).toEqual([{ action: 'job.cancelled', target_id: parent.id, after: { jobs: 2 } }]);
  });

  it('of several jobs is recorded for each that runs, with what its worker holds', async () => {
    const [asked, first, second] = [await held(), await held(), await held()];
    const waiting = newJob();
    await fixture.run(enqueue(org, [waiting]));
    await renew(second);
    await ask(asked);
    const ids = [asked.id, first.id, second.id, waiting.id].sort();
    const rows = await fixture.sql<{ job_id: string; requested_at: Date | null }>(
      'SELECT * FROM request_cancellation_v1($1, $2, NULL, NULL)',
      [org, ids],
    );
    const ofJob = (id: string) => rows.find(({ job_id }) => job_id === id)!;
    expect(rows).toHaveLength(4);
    expect(ofJob(asked.id)).toMatchObject({ lease_id: asked.leaseId, is_new: false, renewed: false });
    expect(ofJob(first.id)).toMatchObject({ lease_id: first.leaseId, is_new: true, renewed: false, worker_id: 'w1' });
    expect(ofJob(second.id)).toMatchObject({ lease_id: second.leaseId, is_new: true, renewed: true });
    expect(ofJob(waiting.id)).toMatchObject({ lease_id: null, requested_at: null, is_new: false, renewed: false });
    const past = await fixture.sql<{ job_id: string; at: Date }>(
      `SELECT job_id, at FROM job_history WHERE organization_id = $1 AND event = 'cancel_requested' ORDER BY job_id`,
      [org],
    );
    expect(past).toEqual(
      [asked, first, second].map(({ id }) => ({ job_id: id, at: ofJob(id).requested_at })).sort(byJob),
    );
  });

  it('loses against a completion', async () => {
    const job = await held();
    await ask(job);
    await complete(job);
    expect(await fixture.job(job.id)).toMatchObject({ status: 'completed' });
    expect(await historyOf(job.id)).toEqual([`cancel_requested · ${actor}`]);
  });
});

/** Every way in which an attempt ends without a completion, and what the history calls it. */
const ends: [cause: string, end: (job: ClaimedJob) => Promise<unknown>][] = [
  ['acknowledged', (job) => fail(job)],
  ['acknowledged', (job) => fail(job, false)],
  ['released', release],
  ['lease_expired', async () => [await fixture.pass('31 s'), await recover()]],
  ['worker_offline', () => fixture.maintenance.recoverJobsOfWorkers([{ organizationId: org, id: 'w1' }])],
];

describe('BX-30 a job that was asked to end', () => {
  it.each(ends)('is cancelled and not retried when its attempt is %s', async (cause, end) => {
    const job = await held({ maxRetries: 5 });
    await ask(job);
    await end(job);
    expect(await fixture.job(job.id)).toMatchObject({
      status: 'cancelled',
      retry_count: 0,
      assigned_worker_id: 'w1',
      completed_at: expect.any(Date),
      started_at: expect.any(Date),
    });
    const [, last] = await historyOf(job.id);
    expect(last).toMatch(new RegExp(`^cancelled · ${cause}`));
    expect(await claimable()).toEqual([]);
    expect(await fixture.sql('SELECT FROM dead_letters WHERE job_id = $1', [job.id])).toEqual([]);
    const counted =
      'SELECT sum(cancelled)::int AS cancelled, sum(retried)::int AS retried FROM job_stats WHERE organization_id = $1';
    expect(await fixture.sql(counted, [org])).toEqual([{ cancelled: 1, retried: 0 }]);
  });

  it('is cancelled when its attempt has taken its time', async () => {
    const job = await held({ timeoutSeconds: 5 });
    await ask(job);
    await fixture.pass('7 s');
    await recover();
    expect(await historyOf(job.id)).toEqual([
      `cancel_requested · ${actor}`,
      'cancelled · timeout · system lease-recovery',
    ]);
  });

  it('is cancelled when its claim is released that reached no worker', async () => {
    await fixture.run(enqueue(org, [newJob()]));
    const claimed = claim(org);
    const { jobs } = await fixture.run(claimed);
    await ask(jobs[0]!);
    const claims = [{ claimId: claimed.id, queueName: 'emails', workerId: 'w1' }];
    await fixture.run(command('job.release', org, { leases: [], claims }));
    expect(await statusOf(jobs[0]!.id)).toBe('cancelled');
  });

  it('keeps the error of the worker, answers it that the job is cancelled, and frees its place', async () => {
    await fixture.sql(
      `INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, 'emails', '{"concurrency": 1}')`,
      [org],
    );
    const job = await held();
    await ask(job);
    fixture.effects.length = 0;
    expect(await fail(job)).toEqual({ willRetry: false, nextRetryDelaySecs: 0, cancelled: true });
    expect(await fixture.job(job.id)).toMatchObject({ last_error: 'smtp says no' });
    expect(fixture.effects.flatMap(({ wakeups }) => wakeups)).toEqual([{ organizationId: org, queueName: 'emails' }]);
    const change = fixture.events(org).filter(({ type }) => type === 'JobStatusChange');
    expect(change).toMatchObject([{ data: { job_id: job.id, old_status: 'processing', new_status: 'cancelled' } }]);
  });

  it('SP-50 cancels the jobs that wait for it', async () => {
    const job = await held();
    const child = newJob({ queueName: 'later' });
    await fixture.run(enqueue(org, [child]));
    await fixture.run(
      command('job.addDependencies', org, { jobId: child.id, dependsOn: [job.id], mode: null, queues: null }),
    );
    await ask(job);
    expect(await statusOf(child.id)).toBe('pending');
    fixture.effects.length = 0;
    await fail(job);
    expect(await statusOf(child.id)).toBe('cancelled');
    expect(fixture.events(org)).toContainEqual(
      expect.objectContaining({
        data: expect.objectContaining({ job_id: child.id, old_status: 'pending', new_status: 'cancelled' }) as unknown,
      }),
    );
  });

  it('BX-07 is the end of an attempt in the trace of the request that created the job, with what ended it', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const jobs: ClaimedJob[] = [];
    for (let n = 0; n < 3; n++) {
      await fixture.run({ ...enqueue(org, [newJob()]), traceparent });
      jobs.push(await fixture.claimOne(org));
    }
    const [failed, forced, refused] = jobs as [ClaimedJob, ClaimedJob, ClaimedJob];
    fixture.effects.length = 0;
    await ask(failed);
    await fail(failed);
    await ask(forced, { force: true });
    await ask(refused, { force: true, reason: 'wrong customer' });
    const spans = fixture.effects.flatMap((effects) => effects.spans);
    const span = { name: 'attempt', traceparent, organizationId: org, queueName: 'emails', workerId: 'w1' };
    expect(spans).toMatchObject([
      { ...span, jobId: failed.id, error: 'smtp says no' },
      { ...span, jobId: forced.id, error: 'cancelled' },
      { ...span, jobId: refused.id, error: 'wrong customer' },
    ]);
    for (const { startTime, endTime } of spans)
      expect(Date.parse(endTime)).toBeGreaterThanOrEqual(Date.parse(startTime));
  });

  it('SP-53 tells subscribers once, with the status before', async () => {
    await fixture.sql(
      `INSERT INTO outgoing_webhooks (organization_id, name, url, events)
       VALUES ($1, 'all', 'http://localhost:9/', '{job.cancelled,job.retried,job.failed}')`,
      [org],
    );
    const job = await held();
    const child = newJob({ parentJobId: job.id });
    await fixture.run(enqueue(org, [child]));
    await ask(job);
    await fail(job);
    const sent = await fixture.sql<{ event: string; payload: object }>(
      'SELECT event, payload FROM webhook_deliveries WHERE organization_id = $1 ORDER BY job_id',
      [org],
    );
    const payload = { job_id: job.id, queue_name: 'emails', status: 'cancelled', old_status: 'processing' };
    const ofChild = { ...payload, job_id: child.id, old_status: 'pending', reason: 'parent_failed' };
    expect(sent).toEqual([
      { event: 'job.cancelled', payload: { ...payload, reason: 'smtp says no' } },
      { event: 'job.cancelled', payload: ofChild },
    ]);
    const waiting = newJob();
    await fixture.run(enqueue(org, [waiting]));
    await ask(waiting, { reason: 'cascade' });
    const [{ data } = { data: null }] = await fixture.sql<{ data: object }>(
      'SELECT payload AS data FROM webhook_deliveries WHERE job_id = $1',
      [waiting.id],
    );
    expect(data).toEqual({ ...payload, job_id: waiting.id, old_status: 'pending', reason: 'cascade' });
  });

  it('can be retried by hand, without the request', async () => {
    const job = await held();
    await ask(job);
    await fail(job);
    await fixture.sql('SELECT requeue_jobs_v1($1, $2, $3, NULL)', [org, [job.id], ['cancelled']]);
    const again = await fixture.claimOne(org);
    expect(await renew(again)).toEqual({ leaseExpiresAt: expect.any(String) });
    await fail(again);
    expect(await statusOf(job.id)).toBe('pending');
  });

  it('ends with its own error and beside no other job of its worker', async () => {
    const [first, second, other] = [await held(), await held(), await held()];
    await fixture.sql(`UPDATE job_queue SET retry_count = 1, last_error = 'before' WHERE job_id = $1`, [first.id]);
    for (const job of [first, second]) await ask(job);
    const failWith = (job: ClaimedJob, error: string) =>
      command('job.fail', org, { ...workerCommands(org).proof(job), error, retry: true });
    const outcomes = await fixture.engine.execute([failWith(first, 'one'), failWith(second, 'two')]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true]);
    for (const [job, last_error] of [
      [first, 'one'],
      [second, 'two'],
    ] as const)
      expect(await fixture.job(job.id)).toMatchObject({ status: 'cancelled', last_error });
    const attempts = `SELECT attempt FROM job_history WHERE organization_id = $1 AND event = 'cancelled' ORDER BY attempt`;
    expect(await fixture.sql(attempts, [org])).toEqual([{ attempt: 1 }, { attempt: 2 }]);
    expect(await statusOf(other.id)).toBe('processing');
    expect(await historyOf(other.id)).toEqual([]);
    const counted = 'SELECT sum(cancelled)::integer AS jobs FROM job_stats WHERE organization_id = $1';
    expect(await fixture.sql(counted, [org])).toEqual([{ jobs: 2 }]);
  });
});

describe('BX-30 a forced cancellation', () => {
  it('ends the lease at once, and refuses what the worker reports', async () => {
    const [job, named] = [await held(), await held()];
    expect(await ask(job, { force: true, reason: 'wrong customer' })).toEqual({
      status: 'cancelled',
      requestedAt: null,
    });
    await ask(named, { force: true });
    expect(await fixture.job(job.id)).toMatchObject({ status: 'cancelled', last_error: 'wrong customer' });
    expect(await historyOf(job.id)).toEqual([
      `cancel_requested · wrong customer · ${actor}`,
      `cancelled · forced · ${actor}`,
    ]);
    for (const act of [complete, fail, renew]) await expect(act(job)).rejects.toEqual(refusal(409, 'LEASE_EXPIRED'));
    await expect(complete({ ...named, leaseId: undefined } as never)).rejects.toEqual(refusal(409, 'CONFLICT'));
    const sent = fixture.effects.flatMap(({ cancelRequests }) => cancelRequests);
    expect(sent.map(({ jobId }) => jobId)).toEqual([job.id, named.id]);
  });

  it('may follow a request', async () => {
    const job = await held();
    await ask(job);
    expect(await ask(job, { force: true })).toEqual({ status: 'cancelled', requestedAt: null });
    expect(await historyOf(job.id)).toEqual([`cancel_requested · ${actor}`, `cancelled · forced · ${actor}`]);
  });
});

describe('BX-30 the grace of a request', () => {
  it('ends the lease, however often the worker renews it', async () => {
    const job = await held({ timeoutSeconds: 3600 });
    await ask(job, { graceSeconds: 20 });
    await fixture.pass('5 s');
    await renew(job, 300);
    await fixture.pass('17 s');
    await expect(complete(job)).rejects.toEqual(refusal(409, 'LEASE_EXPIRED'));
    await recover();
    expect(await statusOf(job.id)).toBe('cancelled');
  });

  it('may be shortened by a later request, not extended', async () => {
    const job = await held({ timeoutSeconds: 3600 });
    const requested = (await ask(job, { graceSeconds: 60 })).requestedAt;
    await ask(job, { graceSeconds: 600 });
    expect((await ask(job, { graceSeconds: 20 })).requestedAt).toBe(requested);
    expect(await historyOf(job.id)).toHaveLength(2);
    await renew(job, 300);
    await fixture.pass('22 s');
    await expect(complete(job)).rejects.toEqual(refusal(409, 'LEASE_EXPIRED'));
  });

  it('does not make a lease longer that nobody renews', async () => {
    const job = await held({ timeoutSeconds: 3600 });
    await ask(job, { graceSeconds: 600 });
    await fixture.pass('31 s');
    await expect(complete(job)).rejects.toEqual(refusal(409, 'LEASE_EXPIRED'));
  });

  it('leaves a worker the time that it has when that is less', async () => {
    const job = await held({ timeoutSeconds: 20 });
    await ask(job, { graceSeconds: 600 });
    await renew(job, 300);
    await fixture.pass('22 s');
    await expect(complete(job)).rejects.toEqual(refusal(409, 'LEASE_EXPIRED'));
  });
});
