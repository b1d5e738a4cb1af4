import type { ClaimedJob } from '@spooled/contracts';
import { type JobStepRow, listJobSteps } from '@spooled/data-access';
import { stepLimits } from '@spooled/domain';
import { claim, command, enqueue, newJob, unlimited, untilLocked } from '@spooled/testing';
import pg from 'pg';
import { refusal, workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';

describe('steps of a job', () => {
  const fixture = useEngine();
  let org: string;
  let held: ClaimedJob;
  beforeEach(async () => {
    org = await fixture.organization();
    await fixture.run(enqueue(org, [newJob({ maxRetries: 1 })]));
    held = await fixture.claimOne(org);
  });

  const { proof } = workerCommands('');
  const record = (job: ClaimedJob, step: string, result: string | null = '{"paid":true}', of = org) =>
    command('job.recordStep', of, { ...proof(job), step, result });
  const wait = (job: ClaimedJob, step: string, waitFor: 'sleep' | 'signal', waitMs = 60_000, of = org) =>
    command('job.wait', of, { ...proof(job), step, waitFor, waitMs });
  const signal = (step: string, payload: string | null = '"yes"', more: { of?: string; queues?: string[] } = {}) =>
    command('job.signal', more.of ?? org, { jobId: held.id, step, payload, queues: more.queues ?? null });
  const complete = (job: ClaimedJob) => fixture.run(workerCommands(org).complete(job));
  const fail = (job: ClaimedJob, retry = true) => fixture.run(workerCommands(org).fail(job, retry));
  const steps = (of = org, queues: string[] | null = null): Promise<JobStepRow[]> =>
    fixture.db.withTenant(of, (tx) => listJobSteps(tx, held.id, queues));
  const results = async () => (await steps()).map(({ name, result }) => [name, result]);
  const wake = () => fixture.maintenance.activateDue(100);
  const history = async (): Promise<unknown[]> => {
    const of = 'SELECT event FROM job_history WHERE job_id = $1 ORDER BY at, id';
    return (await fixture.sql<{ event: string }>(of, [held.id])).map(({ event }) => event);
  };
  /** Fails the attempt and claims the next one. */
  const nextAttempt = async () => {
    await fail(held);
    await fixture.pass('1 h');
    await wake();
    held = await fixture.claimOne(org);
  };

  describe('results', () => {
    it('are kept for the next attempt, as they were sent', async () => {
      await fixture.run(record(held, 'charge', '{"id":12345678901234567890,"text":"\\u0000"}'));
      await fixture.run(record(held, 'mail', null));
      await nextAttempt();
      expect(await results()).toEqual([
        ['charge', '{"id":12345678901234567890,"text":"\\u0000"}'],
        ['mail', null],
      ]);
    });

    it('stay when they are recorded again, and share a transaction with those of other jobs', async () => {
      const other = await fixture.organization();
      await fixture.run(enqueue(other, [newJob()]));
      const theirs = await fixture.claimOne(other);
      const outcomes = await fixture.engine.execute([
        record(held, 'charge', '1'),
        record(held, 'charge', '2'),
        record(theirs, 'charge', '3', other),
        record(theirs, 'charge', '4'),
      ]);
      expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true, false]);
      await fixture.run(record(held, 'charge', '5'));
      expect(await results()).toEqual([['charge', '1']]);
    });

    it('are those of one job of its worker, also by its name alone', async () => {
      await fixture.run(enqueue(org, [newJob()]));
      const other = await fixture.claimOne(org);
      await fixture.sql(
        `INSERT INTO job_steps (organization_id, job_id, name, kind, created_at, finished_at)
         SELECT $1, $2, 'step ' || n, 'signal', now(), now() FROM generate_series(1, $3) n`,
        [org, other.id, stepLimits.perJob],
      );
      const byName = command('job.recordStep', org, { ...record(held, 'step 1').body, leaseId: null });
      expect(await fixture.run(byName)).toEqual({ recordedAt: expect.any(String) });
      expect(await results()).toEqual([['step 1', '{"paid":true}']]);
      expect(await fixture.run(signal('approval'))).toEqual({ accepted: true, resumed: false });
      const anotherKind = { status: 400, details: { step: expect.stringMatching(/another kind/) as unknown } };
      await expect(fixture.run(record(other, 'step 1'))).rejects.toMatchObject(anotherKind);
    });

    it('of a worker that has lost the lease are refused', async () => {
      const stale = held;
      await nextAttempt();
      await expect(fixture.run(record(stale, 'charge'))).rejects.toEqual(refusal(409, 'LEASE_EXPIRED'));
      await expect(fixture.run(record({ ...held, leaseId: stale.leaseId }, 'x'))).rejects.toEqual(
        refusal(409, 'LEASE_EXPIRED'),
      );
      await fixture.pass('31 s');
      await expect(fixture.run(record(held, 'charge'))).rejects.toEqual(refusal(409, 'LEASE_EXPIRED'));
      expect(await results()).toEqual([]);
    });

    it('are bounded in number', async () => {
      await fixture.sql(
        `INSERT INTO job_steps (organization_id, job_id, name, kind, created_at, finished_at)
         SELECT $1, $2, 'step ' || n, 'step', now(), now() FROM generate_series(1, $3) n`,
        [org, held.id, stepLimits.perJob - 1],
      );
      const outcomes = await fixture.engine.execute([record(held, 'a'), record(held, 'b'), record(held, 'step 1')]);
      expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true]);
      for (const more of [record(held, 'c'), wait(held, 'd', 'sleep'), signal('e')])
        await expect(fixture.run(more)).rejects.toMatchObject({
          status: 400,
          details: { step: expect.stringMatching(/most/) as unknown },
        });
      await fixture.sql(`UPDATE job_steps SET kind = 'sleep' WHERE job_id = $1 AND name = 'step 2'`, [held.id]);
      expect(await fixture.run(wait(held, 'step 2', 'sleep'))).toEqual({ isOver: true });
      await fixture.sql(
        `UPDATE job_steps SET kind = 'signal', finished_at = NULL, deadline = '2100-01-01' WHERE job_id = $1 AND name = 'step 3'`,
        [held.id],
      );
      expect(await fixture.run(signal('step 3'))).toEqual({ accepted: true, resumed: false });
    });

    it('are bounded in number when their reports run at the same time', async () => {
      const reports = Array.from({ length: 8 }, (_, i) =>
        Array.from({ length: stepLimits.perJob / 4 }, (_, n) => record(held, `step ${i} ${n}`)),
      );
      const outcomes = await Promise.all(reports.map((report) => fixture.engine.execute(report)));
      expect(outcomes.flat().filter(({ ok }) => ok)).toHaveLength(stepLimits.perJob);
      expect(await steps()).toHaveLength(stepLimits.perJob);
    });

    it('stay with a job that is retried by hand, and not with one that runs again after it has completed', async () => {
      await fixture.run(record(held, 'charge'));
      await fail(held, false);
      await fixture.run(command('job.retry', org, { jobId: held.id, queues: null, quota: unlimited }));
      expect(await results()).toEqual([['charge', '{"paid":true}']]);
      held = await fixture.claimOne(org);
      await complete(held);
      await fixture.sql(`SELECT requeue_jobs_v1($1, ARRAY[$2]::uuid[], '{completed}', NULL)`, [org, held.id]);
      expect(await results()).toEqual([]);
    });

    it('of waits stay with a job that is retried by hand, if they are over; a signal that did not come may come again', async () => {
      for (const [name, kind] of [
        ['nap', 'sleep'],
        ['approval', 'signal'],
      ] as const) {
        await fixture.run(wait(held, name, kind));
        await fixture.pass('61 s');
        await wake();
        held = await fixture.claimOne(org);
      }
      await fixture.run(wait(held, 'later', 'sleep'));
      await fixture.sql(`UPDATE job_queue SET state = 'ready' WHERE job_id = $1`, [held.id]);
      held = await fixture.claimOne(org);
      await fail(held, false);
      await fixture.run(command('job.retry', org, { jobId: held.id, queues: null, quota: unlimited }));
      expect(await steps()).toMatchObject([{ name: 'nap', is_done: true }]);
    });

    it('are seen by their organization only, and with access to the queue', async () => {
      await fixture.run(record(held, 'charge'));
      expect(await steps(await fixture.organization())).toEqual([]);
      expect(await steps(org, ['others'])).toEqual([]);
      expect(await steps(org, ['emails'])).toHaveLength(1);
    });
  });

  describe('sleep', () => {
    it('releases the worker, uses no attempt, and ends at its time', async () => {
      expect(await fixture.run(wait(held, 'later', 'sleep'))).toEqual({ isOver: false });
      expect(await fixture.job(held.id)).toMatchObject({
        ...{ status: 'scheduled', retry_count: 0, lease_id: null, assigned_worker_id: null, started_at: null },
      });
      expect(await fixture.run(claim(org))).toEqual({ jobs: [] });
      await expect(complete(held)).rejects.toEqual(refusal(409, 'LEASE_EXPIRED'));
      await fixture.pass('61 s');
      await wake();
      held = await fixture.claimOne(org);
      expect(held.retryCount).toBe(0);
      expect(await steps()).toMatchObject([{ name: 'later', kind: 'sleep', is_done: true, finished_at: null }]);
      expect(await fixture.run(wait(held, 'later', 'sleep'))).toEqual({ isOver: true });
      await complete(held);
      expect(await history()).toEqual(['waiting', 'activated']);
    });

    it('goes on to the same time when the job is made claimable before', async () => {
      await fixture.run(wait(held, 'later', 'sleep'));
      const [{ deadline }] = (await steps()) as [JobStepRow];
      await fixture.sql(`UPDATE job_queue SET state = 'ready' WHERE job_id = $1`, [held.id]);
      held = await fixture.claimOne(org);
      await fixture.pass('10 s');
      expect(await fixture.run(wait(held, 'later', 'sleep'))).toEqual({ isOver: false });
      expect(await steps()).toMatchObject([{ deadline }]);
      expect(await fixture.job(held.id)).toMatchObject({ scheduled_at: new Date(deadline!) });
    });

    it('is refused without the lease, and under the name of another step', async () => {
      await fixture.run(record(held, 'charge'));
      const anotherKind = { status: 400, message: expect.stringMatching(/another kind/) as unknown };
      await expect(fixture.run(wait(held, 'charge', 'sleep'))).rejects.toMatchObject(anotherKind);
      await fixture.run(wait(held, 'later', 'sleep'));
      await expect(fixture.run(wait(held, 'later', 'sleep'))).rejects.toEqual(refusal(409, 'LEASE_EXPIRED'));
    });

    it('of one job has nothing to do with the other jobs of its worker, nor with their steps', async () => {
      await fixture.run(enqueue(org, [newJob()]));
      const other = await fixture.claimOne(org);
      await fixture.run(record(other, 'later'));
      await fixture.sql(
        `INSERT INTO job_steps (organization_id, job_id, name, kind, created_at, finished_at)
         SELECT $1, $2, 'step ' || n, 'step', now(), now() FROM generate_series(2, $3) n`,
        [org, other.id, stepLimits.perJob],
      );
      const { id, leaseId } = held;
      const byName = command('job.wait', org, { ...wait(held, 'later', 'sleep').body, leaseId: null });
      expect(await fixture.run(byName)).toEqual({ isOver: false });
      expect(await fixture.job(id)).toMatchObject({ status: 'scheduled' });
      expect(await fixture.job(other.id)).toMatchObject({ status: 'processing', lease_id: other.leaseId });
      const past = `SELECT job_id, attempt, lease_id FROM job_history WHERE organization_id = $1 AND event = 'waiting'`;
      expect(await fixture.sql(past, [org])).toEqual([{ job_id: id, attempt: 1, lease_id: leaseId }]);
    });

    it('gives its place in a queue with a concurrency limit to another job, and wakes the queue', async () => {
      const effects = fixture.effects.length;
      await fixture.run(wait(held, 'later', 'sleep'));
      const woken = fixture.effects.slice(effects).flatMap(({ wakeups }) => wakeups);
      expect(woken).toEqual([{ organizationId: org, queueName: 'emails' }]);
      const change = { job_id: held.id, old_status: 'processing', new_status: 'scheduled' };
      expect(fixture.events(org).at(-1)).toMatchObject({ type: 'JobStatusChange', data: change });
    });

    it('ends when the job expires, which says what it was', async () => {
      await nextAttempt();
      await fixture.run(wait(held, 'later', 'sleep'));
      await fixture.sql(`UPDATE job_queue SET expires_at = current_ts() WHERE job_id = $1`, [held.id]);
      await fixture.maintenance.expireJobs(10);
      expect(await fixture.job(held.id)).toMatchObject({ status: 'deadletter' });
      expect(fixture.events(org)).toContainEqual(
        expect.objectContaining({
          data: expect.objectContaining({ old_status: 'scheduled', new_status: 'deadletter' }) as unknown,
        }),
      );
    });

    it('ends when the job is cancelled', async () => {
      await fixture.run(wait(held, 'later', 'sleep'));
      await fixture.run(command('job.cancel', org, { jobId: held.id, queues: null }));
      await fixture.pass('61 s');
      await wake();
      expect(await fixture.job(held.id)).toMatchObject({ status: 'cancelled' });
    });
  });

  it('a job that was asked to end is cancelled instead of waiting', async () => {
    const options = { queues: null, reason: null, force: false, graceSeconds: null };
    await fixture.run(command('job.requestCancellation', org, { jobId: held.id, ...options }));
    await fixture.run(record(held, 'charge'));
    expect(await fixture.run(wait(held, 'pause', 'sleep'))).toEqual({ isOver: false });
    expect(await fixture.job(held.id)).toMatchObject({ status: 'cancelled' });
    expect((await history()).slice(-2)).toEqual(['cancel_requested', 'cancelled']);
    const reason = `SELECT details ->> 'reason' AS reason FROM job_history WHERE job_id = $1 AND event = 'cancelled'`;
    expect(await fixture.sql(reason, [held.id])).toEqual([{ reason: 'released' }]);
    expect((await steps()).map(({ name }) => name)).toEqual(['charge']);
  });

  describe('signal', () => {
    it('resumes a job that waits for it, once', async () => {
      await fixture.run(wait(held, 'approval', 'signal'));
      const effects = fixture.effects.length;
      expect(await fixture.run(signal('approval'))).toEqual({ accepted: true, resumed: true });
      const woken = fixture.effects.slice(effects).flatMap(({ wakeups }) => wakeups);
      expect(woken).toEqual([{ organizationId: org, queueName: 'emails' }]);
      const change = { job_id: held.id, old_status: 'scheduled', new_status: 'pending' };
      expect(fixture.events(org).at(-1)).toMatchObject({ type: 'JobStatusChange', data: change });
      expect(await fixture.run(signal('approval', '"no"'))).toEqual({ accepted: false, resumed: false });
      held = await fixture.claimOne(org);
      expect(held.retryCount).toBe(0);
      expect(await steps()).toMatchObject([{ name: 'approval', kind: 'signal', is_done: true, result: '"yes"' }]);
      expect(await history()).toEqual(['waiting', 'resumed']);
      await fixture.pass('61 s');
      await wake();
      expect(await history()).toEqual(['waiting', 'resumed']);
      // It was given in time, so a repetition is not too late.
      expect(await fixture.run(signal('approval'))).toEqual({ accepted: false, resumed: false });
    });

    it('is there when a job asks for it again that runs before its wait has ended', async () => {
      await fixture.run(wait(held, 'approval', 'signal'));
      await fixture.sql(`UPDATE job_queue SET state = 'ready' WHERE job_id = $1`, [held.id]);
      held = await fixture.claimOne(org);
      expect(await fixture.run(signal('approval'))).toEqual({ accepted: true, resumed: false });
      expect(await fixture.job(held.id)).toMatchObject({ status: 'processing', lease_id: held.leaseId });
      expect(await fixture.run(wait(held, 'approval', 'signal'))).toEqual({ isOver: true });
    });

    it('is given to one job, whatever others wait for', async () => {
      await fixture.run(enqueue(org, [newJob()]));
      const other = await fixture.claimOne(org);
      await fixture.run(wait(other, 'approval', 'signal'));
      expect(await fixture.run(signal('approval'))).toEqual({ accepted: true, resumed: false });
      const ofOther = command('job.signal', org, { ...signal('approval').body, jobId: other.id });
      expect(await fixture.run(ofOther)).toEqual({ accepted: true, resumed: true });
      expect(await fixture.job(held.id)).toMatchObject({ status: 'processing', lease_id: held.leaseId });
    });

    it('of a sender that knew it before the job completed is not for the run after', async () => {
      const at = (knownAt: unknown) =>
        command('job.signal', org, { ...signal('approval').body, knownAt: knownAt as string });
      const time = async () => (await fixture.sql<{ at: string }>('SELECT current_ts()::text AS at'))[0]!.at;
      await fixture.run(enqueue(org, [newJob()]));
      const other = await fixture.claimOne(org);
      const before = await time();
      await fixture.pass('1 s');
      await complete(other);
      await fixture.sql(`SELECT requeue_jobs_v1($1, ARRAY[$2]::uuid[], '{completed}', NULL)`, [org, other.id]);
      await nextAttempt();
      expect(await fixture.run(at(before))).toMatchObject({ accepted: true });
      const ofOther = (knownAt: string) => command('job.signal', org, { ...at(knownAt).body, jobId: other.id });
      await expect(fixture.run(ofOther(before))).rejects.toMatchObject({
        status: 409,
        message: expect.stringContaining('runs again'),
      });
      expect(await fixture.run(ofOther(await time()))).toMatchObject({ accepted: true });
    });

    it('is kept for a wait that begins later', async () => {
      const told = () => fixture.effects.map(({ events, wakeups }) => [events, wakeups]).flat(2);
      const before = told();
      expect(await fixture.run(signal('approval', null))).toEqual({ accepted: true, resumed: false });
      expect(await fixture.run(wait(held, 'approval', 'signal'))).toEqual({ isOver: true });
      expect(told()).toEqual(before);
      expect(await steps()).toMatchObject([{ name: 'approval', is_done: true, result: null }]);
      await complete(held);
    });

    it('does not end a sleep, nor a wait for another one', async () => {
      await fixture.run(wait(held, 'later', 'sleep'));
      await expect(fixture.run(signal('later'))).rejects.toEqual(refusal(400, 'VALIDATION_ERROR'));
      expect(await fixture.run(signal('approval'))).toEqual({ accepted: true, resumed: false });
      expect(await fixture.job(held.id)).toMatchObject({ status: 'scheduled' });
    });

    it('comes too late after the deadline, also before the job is woken', async () => {
      await fixture.run(wait(held, 'approval', 'signal'));
      await fixture.pass('61 s');
      const late = expect.stringContaining('its deadline has passed') as unknown;
      await expect(fixture.run(signal('approval'))).rejects.toMatchObject({ status: 409, message: late });
      await wake();
      held = await fixture.claimOne(org);
      expect(await steps()).toMatchObject([{ is_done: true, finished_at: null, result: null }]);
    });

    it('is refused for jobs of others, of other queues, and for those that have ended', async () => {
      await fixture.run(wait(held, 'approval', 'signal'));
      const of = await fixture.organization();
      await expect(fixture.run(signal('approval', '1', { of }))).rejects.toEqual(refusal(404, 'NOT_FOUND'));
      await expect(fixture.run(signal('approval', '1', { queues: ['others'] }))).rejects.toEqual(
        refusal(404, 'NOT_FOUND'),
      );
      const own = { queues: [held.queueName] };
      expect(await fixture.run(signal('before its wait', '1', own))).toEqual({ accepted: true, resumed: false });
      await fixture.run(command('job.cancel', org, { jobId: held.id, queues: null }));
      const ended = { status: 409, message: 'Job has ended' };
      await expect(fixture.run(signal('approval', '1', own))).rejects.toMatchObject(ended);
    });

    it('is refused as for unknown jobs while the queue of its job is deleted', async () => {
      await fixture.run(wait(held, 'approval', 'signal'));
      // Before it was created, and of another queue.
      await fixture.sql(
        `INSERT INTO queue_deletions (organization_id, queue_name, deleted_until)
         VALUES ($1, $2, '2000-01-01'), ($1, 'others', current_ts())`,
        [org, held.queueName],
      );
      expect(await fixture.run(signal('first'))).toEqual({ accepted: true, resumed: false });
      await fixture.sql('UPDATE queue_deletions SET deleted_until = current_ts() WHERE organization_id = $1', [org]);
      await expect(fixture.run(signal('approval'))).rejects.toEqual(refusal(404, 'NOT_FOUND'));
    });

    it('and a cancellation at the same moment: one of them comes first', async () => {
      await fixture.run(wait(held, 'approval', 'signal'));
      const cancel = command('job.cancel', org, { jobId: held.id, queues: null });
      const [signalled, cancelled] = await fixture.engine.execute([signal('approval'), cancel]);
      expect(cancelled).toMatchObject({ ok: true });
      expect(await history()).toEqual(signalled!.ok ? ['waiting', 'resumed', 'cancelled'] : ['waiting', 'cancelled']);
    });

    it('comes before a cancellation that waited for it, also in the history', async () => {
      await fixture.run(wait(held, 'approval', 'signal'));
      const client = new pg.Client({ connectionString: fixture.database.superuserUrl });
      await client.connect();
      await client.query('BEGIN');
      await client.query('SELECT FROM job_queue WHERE job_id = $1 FOR UPDATE', [held.id]);
      const cancelled = fixture.run(command('job.cancel', org, { jobId: held.id, queues: null }));
      await untilLocked(fixture.superuser);
      await client.query('SELECT signal_job_v1($1, $2, $3, $4, $5, NULL, NULL)', [org, held.id, 'approval', '1', 200]);
      await client.query('COMMIT');
      await cancelled;
      await client.end();
      expect(await history()).toEqual(['waiting', 'resumed', 'cancelled']);
    });
  });
});
