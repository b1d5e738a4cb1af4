import { claim, command, enqueue, newJob } from '@spooled/testing';
import { refusal, workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';

describe('progress of a job', () => {
  const fixture = useEngine();
  let org: string;
  let held: { id: string; leaseId: string };
  beforeEach(async () => {
    org = await fixture.organization();
    await fixture.run(enqueue(org, [newJob()]));
    held = await fixture.claimOne(org);
  });

  const report = (progress: number, more: object = {}) =>
    command('job.progress', org, {
      jobId: held.id,
      workerId: 'w1',
      leaseId: held.leaseId,
      queues: null,
      progress,
      message: null,
      ...more,
    });
  const stored = async () => {
    const rows = await fixture.sql('SELECT progress, progress_message AS message FROM job_queue WHERE job_id = $1', [
      held.id,
    ]);
    return rows[0];
  };

  /** What the history keeps about the end of each attempt. */
  const endsOfAttempts = async () => {
    const rows = await fixture.sql(
      'SELECT details FROM job_history WHERE job_id = $1 AND attempt IS NOT NULL ORDER BY at',
      [held.id],
    );
    return rows.map(({ details }) => details as object);
  };
  const retried = { will_retry: true, scheduled_at: expect.any(String) as string };

  it('SP-25 the last report of the lease’s holder is kept and sent as an event', async () => {
    const { reportedAt } = await fixture.run(report(12.34, { message: 'copying' }));
    expect(fixture.events(org).at(-1)).toMatchObject({ data: { timestamp: reportedAt } });
    expect(await stored()).toEqual({ progress: 12.34, message: 'copying' });
    await fixture.run(report(50, { workerId: null, leaseId: null }));
    expect(await stored()).toEqual({ progress: 50, message: null });
    const outcomes = await fixture.engine.execute([
      report(60),
      report(80, { message: 'last' }),
      report(70, { queues: ['other'] }),
    ]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect(await stored()).toEqual({ progress: 80, message: 'last' });
    const events = fixture.events(org).filter(({ type }) => type === 'JobProgress');
    expect(events.map(({ data }) => data)).toMatchObject([
      { job_id: held.id, queue_name: 'emails', worker_id: 'w1', progress: 12.34, message: 'copying' },
      { progress: 50 },
      { progress: 60 },
      { progress: 80 },
    ]);
  });

  it('SP-25 reports of several jobs at once are kept by the job of each', async () => {
    await fixture.run(enqueue(org, [newJob(), newJob()]));
    const [other, silent] = [await fixture.claimOne(org), await fixture.claimOne(org)];
    const unknown = { jobId: newJob().id, leaseId: null, workerId: null };
    const ofOther = report(20, { jobId: other.id, leaseId: other.leaseId, message: 'theirs' });
    const outcomes = await fixture.engine.execute([ofOther, report(10), report(30, unknown)]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect(outcomes[2]).toMatchObject({ error: { status: 404 } });
    const all = 'SELECT job_id, progress, progress_message FROM job_queue WHERE organization_id = $1 ORDER BY progress';
    expect(await fixture.sql(all, [org])).toEqual([
      { job_id: held.id, progress: 10, progress_message: null },
      { job_id: other.id, progress: 20, progress_message: 'theirs' },
      { job_id: silent.id, progress: null, progress_message: null },
    ]);
  });

  it('SP-25 follows the rules of leases', async () => {
    const refuses = (more: object, status: number, code: string) =>
      expect(fixture.run(report(1, more))).rejects.toEqual(refusal(status, code));
    await refuses({ leaseId: held.id }, 409, 'LEASE_EXPIRED');
    await refuses({ leaseId: null, workerId: 'w2' }, 404, 'NOT_FOUND');
    await refuses({ jobId: newJob().id, leaseId: null, workerId: null }, 404, 'NOT_FOUND');
    await fixture.pass('31 s');
    await refuses({}, 409, 'LEASE_EXPIRED');
    await refuses({ leaseId: null, workerId: null }, 409, 'LEASE_EXPIRED');
    await fixture.maintenance.recoverExpiredLeases(100);
    await refuses({}, 409, 'LEASE_EXPIRED');
    await refuses({ leaseId: null, workerId: null }, 404, 'NOT_FOUND');
    const { jobs } = await fixture.run(claim(org));
    await fixture.run(workerCommands(org).complete(jobs[0]!));
    await refuses({ leaseId: jobs[0]!.leaseId }, 409, 'CONFLICT');
  });

  it('SP-25 the next attempt begins without progress, and the history keeps how far the last one came', async () => {
    await fixture.run(report(90, { message: 'almost' }));
    await fixture.pass('31 s');
    await fixture.maintenance.recoverExpiredLeases(100);
    const next = await fixture.claimOne(org);
    expect(await stored()).toEqual({ progress: null, message: null });
    expect(await endsOfAttempts()).toEqual([{ progress: 90, progress_message: 'almost', ...retried }]);
    await fixture.run(workerCommands(org).fail(next, false));
    expect((await endsOfAttempts()).at(-1)).toEqual({ will_retry: false });
  });
});
