import type { ClaimedJob, LeaseRef, LeaseStore, PresentedLease } from '@spooled/contracts';
import { claim, command, enqueue, newJob } from '@spooled/testing';
import { refusal, workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';
import { Maintenance } from './maintenance.js';

describe('the timeout of an attempt', () => {
  const fixture = useEngine();
  let org: string;
  let worker: ReturnType<typeof workerCommands>;
  beforeEach(async () => {
    org = await fixture.organization();
    worker = workerCommands(org);
  });

  const claimNew = async (timeoutSeconds: number, more: object = {}): Promise<ClaimedJob> => {
    await fixture.run(enqueue(org, [newJob({ timeoutSeconds, ...more })]));
    return fixture.claimOne(org, { leaseSeconds: 60 });
  };
  const renew = (job: ClaimedJob, leaseSeconds: number) =>
    fixture.run(command('job.renew', org, { ...worker.proof(job), leaseSeconds }));
  const secondsAfterStart = (expiry: string, { startedAt }: ClaimedJob) =>
    (Date.parse(expiry) - Date.parse(startedAt)) / 1000;

  it('SP-25 ends a lease that the claim or a renewal asks for longer', async () => {
    const short = await claimNew(20);
    expect(secondsAfterStart(short.leaseExpiresAt, short)).toBeCloseTo(21, 2);
    for (const seconds of [3600, 5]) {
      const { leaseExpiresAt } = await renew(short, seconds);
      expect(secondsAfterStart(leaseExpiresAt, short)).toBeLessThanOrEqual(21.002);
    }
    const long = await claimNew(3600);
    const [read] = await fixture.sql<{ at: Date }>('SELECT current_ts(clock_timestamp()) AS at');
    expect(Date.parse(long.leaseExpiresAt)).toBeLessThanOrEqual(read!.at.getTime() + 60_000);
  });

  it('SP-25 fails the attempt of a worker that keeps renewing, and accepts nothing from it afterwards', async () => {
    const job = await claimNew(90, { settings: '{"retry_delay_ms": 300000}' });
    await fixture.pass('50 s');
    await renew(job, 60);
    await fixture.maintenance.recoverExpiredLeases(100);
    expect(await fixture.job(job.id)).toMatchObject({ status: 'processing' });
    await fixture.pass('42 s');
    for (const late of [
      worker.complete(job),
      worker.fail(job),
      command('job.renew', org, { ...worker.proof(job), leaseSeconds: 60 }),
    ]) {
      await expect(fixture.run(late)).rejects.toEqual(refusal(409, 'LEASE_EXPIRED'));
    }
    await fixture.maintenance.recoverExpiredLeases(100);
    expect(await fixture.job(job.id)).toMatchObject({
      status: 'pending',
      retry_count: 1,
      last_error: expect.stringContaining('timeout'),
      started_at: null,
      assigned_worker_id: null,
    });
    // Retried with the backoff of a failure.
    expect((await fixture.run(claim(org))).jobs).toEqual([]);
    const [row] = await fixture.sql<{ delay: number }>(
      `SELECT extract(epoch FROM q.due_at - h.at)::float8 AS delay FROM job_queue q JOIN job_history h USING (job_id) WHERE q.job_id = $1`,
      [job.id],
    );
    expect(row!.delay).toBeGreaterThan(100);
    await expect(fixture.run(worker.complete(job))).rejects.toEqual(refusal(409, 'LEASE_EXPIRED'));
    expect(
      await fixture.sql('SELECT event, attempt, worker_id FROM job_history WHERE job_id = $1 ORDER BY id', [job.id]),
    ).toEqual([{ event: 'timeout', attempt: 1, worker_id: 'w1' }]);
  });

  it('SP-25 leaves a second to the report of a worker whose own timer ends the attempt', async () => {
    const job = await claimNew(90);
    await fixture.pass('50 s');
    const { leaseExpiresAt } = await renew(job, 60);
    expect(secondsAfterStart(leaseExpiresAt, job)).toBeCloseTo(91, 1);
    // A second may be over before the report comes on a busy machine: a minute stands for it.
    await fixture.sql(
      `UPDATE job_queue SET lease_expires_at = lease_expires_at + interval '1 minute' WHERE job_id = $1`,
      [job.id],
    );
    await fixture.pass('45 s');
    await fixture.maintenance.recoverExpiredLeases(100);
    expect(await fixture.job(job.id)).toMatchObject({ status: 'processing' });
    await fixture.run(worker.fail(job));
    expect(await fixture.job(job.id)).toMatchObject({ retry_count: 1, last_error: 'smtp says no' });
  });

  it('SP-28 makes the job a dead letter when no retry is left', async () => {
    const job = await claimNew(10, { maxRetries: 0 });
    await fixture.pass('12 s');
    fixture.effects.length = 0;
    await fixture.maintenance.recoverExpiredLeases(100);
    expect(await fixture.job(job.id)).toMatchObject({
      status: 'deadletter',
      last_error: expect.stringContaining('timeout'),
    });
    expect(fixture.effects.flatMap(({ wakeups }) => wakeups)).toEqual([]);
  });

  it('SP-25 starts again with the next attempt', async () => {
    await claimNew(30, { maxRetries: 3 });
    await fixture.pass('32 s');
    await fixture.maintenance.recoverExpiredLeases(100);
    await fixture.pass('1 min');
    const again = await fixture.claimOne(org);
    expect(secondsAfterStart((await renew(again, 3600)).leaseExpiresAt, again)).toBeCloseTo(31, 1);
    await fixture.run(worker.complete(again));
  });

  it('SP-25 a lost lease that has time left is recovered as such, without backoff', async () => {
    const job = await claimNew(300);
    await fixture.pass('61 s');
    fixture.effects.length = 0;
    await fixture.maintenance.recoverExpiredLeases(100);
    expect(await fixture.job(job.id)).toMatchObject({
      status: 'pending',
      last_error: expect.stringContaining('Lease expired'),
      started_at: null,
    });
    expect(fixture.effects.flatMap(({ wakeups }) => wakeups)).toEqual([{ organizationId: org, queueName: 'emails' }]);
    const past = await fixture.sql('SELECT event FROM job_history WHERE job_id = $1', [job.id]);
    expect(past).toEqual([{ event: 'lease_expired' }]);
    expect((await fixture.claimOne(org)).id).toBe(job.id);
  });

  it('KF-14 SP-41 a lease that the store holds longer is kept until its attempt has timed out, or its worker is offline', async () => {
    await fixture.sql('DELETE FROM job_queue');
    const asked: string[] = [];
    const ended: string[] = [];
    const jobs = [await claimNew(30), await claimNew(300), await claimNew(300)];
    const [timedOut, held, gone] = jobs.map(({ id }) => id);
    const alive = (some: PresentedLease[]) => {
      asked.push(...some.map(({ jobId }) => jobId));
      return Promise.resolve(some.map(({ jobId, leaseId }) => (jobId === held ? { leaseId, leftMs: 60_000 } : null)));
    };
    const end = (some: LeaseRef[]) => Promise.resolve(ended.push(...some.map(({ jobId }) => jobId)));
    const leases = { alive, end } as unknown as LeaseStore;
    const { errors } = fixture;
    const maintenance = new Maintenance(fixture.db, {
      onEffects: () => undefined,
      onError: (error) => errors.push(error),
      leases,
    });
    await fixture.pass('61 s');
    expect(await maintenance.recoverExpiredLeases(100)).toBe(3);
    const statuses = async () => Promise.all(jobs.map(async ({ id }) => (await fixture.job(id)).status));
    expect([await statuses(), asked.sort(), ended.splice(0)]).toEqual([
      ['pending', 'processing', 'pending'],
      [held, gone].sort(),
      [timedOut],
    ]);
    expect(await maintenance.recoverExpiredLeases(100)).toBe(0);
    await maintenance.recoverJobsOfWorkers([{ organizationId: org, id: 'w1' }]);
    expect([await statuses(), ended]).toEqual([['pending', 'pending', 'pending'], [held]]);
    expect(errors).toEqual([]);
  });
});
