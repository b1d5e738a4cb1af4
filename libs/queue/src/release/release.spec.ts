import { claim, command, enqueue, msUntil, newJob } from '@spooled/testing';
import { useEngine } from '../testing/job-lifecycle.fixture.js';

describe('releasing leases', () => {
  const fixture = useEngine();
  let org: string;
  beforeEach(async () => void (org = await fixture.organization()));

  const claimNew = async (count = 1) => {
    await fixture.run(
      enqueue(
        org,
        Array.from({ length: count }, () => newJob()),
      ),
    );
    const { jobs } = await fixture.run(claim(org, { limit: count }));
    return jobs.map(({ id: jobId, leaseId }) => ({ jobId, leaseId }));
  };
  const release = (leases: { jobId: string; leaseId: string; delayMs?: number }[], organizationId = org) =>
    command('job.release', organizationId, { leases });

  it('BX-02 returns jobs to pending at once without costing an attempt, and publishes it', async () => {
    const leases = await claimNew(2);
    expect(await fixture.run(release(leases))).toEqual({ releasedJobs: 2 });
    const { jobs } = await fixture.run(claim(org, { limit: 5, workerId: 'w2' }));
    expect(jobs.map(({ id }) => id)).toEqual(leases.map(({ jobId }) => jobId));
    expect(jobs.map(({ retryCount }) => retryCount)).toEqual([0, 0]);
    // Their worker never had them.
    expect(await fixture.sql('SELECT FROM job_history WHERE organization_id = $1', [org])).toEqual([]);
    expect(fixture.effects.flatMap(({ wakeups }) => wakeups)).toContainEqual({
      organizationId: org,
      queueName: 'emails',
    });
    const changes = fixture.events(org).filter(({ type }) => type === 'JobStatusChange');
    expect(changes).toContainEqual(
      expect.objectContaining({
        data: expect.objectContaining({ job_id: leases[0]!.jobId, old_status: 'processing', new_status: 'pending' }),
      }),
    );
  });

  it('BX-02 does not touch later leases, ended jobs, or other organizations', async () => {
    const [first, second, third] = await claimNew(3);
    await fixture.run(release([first!]));
    const { jobs } = await fixture.run(claim(org, { workerId: 'w2' }));
    const proof = { jobId: second!.jobId, workerId: 'w1', leaseId: second!.leaseId, queues: null };
    await fixture.run(command('job.complete', org, { ...proof, result: null }));

    expect(await fixture.run(release([first!, second!]))).toEqual({ releasedJobs: 0 });
    expect(await fixture.run(release([third!], await fixture.organization()))).toEqual({ releasedJobs: 0 });
    expect(await fixture.job(first!.jobId)).toMatchObject({ status: 'processing', lease_id: jobs[0]!.leaseId });
    expect(await fixture.job(second!.jobId)).toMatchObject({ status: 'completed' });
    expect(await fixture.job(third!.jobId)).toMatchObject({ status: 'processing', lease_id: third!.leaseId });
  });

  it('BX-02 MQ-10 returns a job only after its delay, without costing an attempt', async () => {
    const [now, other, later] = await claimNew(3);
    fixture.effects.length = 0;
    const wakeups = () => fixture.effects.flatMap((effects) => effects.wakeups);
    // Nobody looks for a job that is not due.
    expect(await fixture.run(release([{ ...later!, delayMs: 3_600_000 }]))).toEqual({ releasedJobs: 1 });
    expect(wakeups()).toEqual([]);
    expect(await fixture.run(release([now!, { ...other!, delayMs: 0 }]))).toEqual({ releasedJobs: 2 });
    expect(wakeups()).toEqual([{ organizationId: org, queueName: 'emails' }]);
    const { jobs } = await fixture.run(claim(org, { limit: 5 }));
    expect(jobs.map(({ id }) => id)).toEqual([now!.jobId, other!.jobId]);
    const { status, retry_count, scheduled_at } = await fixture.job(later!.jobId);
    expect({ status, retry_count }).toEqual({ status: 'pending', retry_count: 0 });
    expect(msUntil(scheduled_at as string)).toBeGreaterThan(3_500_000);
    await fixture.pass('59 min');
    expect(await fixture.run(claim(org))).toEqual({ jobs: [] });
    await fixture.pass('1 min');
    const due = await fixture.run(claim(org, { limit: 5 }));
    expect(due.jobs.map(({ id, retryCount }) => [id, retryCount])).toEqual([[later!.jobId, 0]]);
  });

  it('leaves an expired lease to lease recovery, which costs an attempt', async () => {
    const [lease] = await claimNew();
    await fixture.pass('31 s');
    expect(await fixture.run(release([lease!]))).toEqual({ releasedJobs: 0 });
  });

  it('BX-02 of claims returns all jobs that each was granted, and none of another claim, worker, queue or organization', async () => {
    const granted = async (queueName: string, more: object = {}, of = org) => {
      await fixture.run(enqueue(of, [newJob({ queueName }), newJob({ queueName })]));
      const one = claim(of, { limit: 2, queueName, ...more });
      const { jobs } = await fixture.run(one);
      const { workerId } = one.body;
      return { ref: { claimId: one.id, queueName, workerId }, ids: jobs.map(({ id }) => id) };
    };
    const other = await fixture.organization();
    const [first, second] = [await granted('emails'), await granted('images', { workerId: 'w2' })];
    const [held, kept] = [await granted('emails'), await granted('emails')];
    const theirs = await granted('emails', {}, other);
    const claims = [
      first.ref,
      second.ref,
      { ...held.ref, workerId: 'w2' },
      { ...kept.ref, queueName: 'images' },
      theirs.ref,
    ];
    expect(await fixture.run(command('job.release', org, { leases: [], claims }))).toEqual({ releasedJobs: 4 });
    const all = [first, second, held, kept, theirs].flatMap(({ ids }) => ids);
    const rows = await fixture.sql(
      `SELECT state, worker_id, lease_id IS NULL AS free, lease_expires_at IS NULL AND started_at IS NULL AS ended, retry_count
       FROM job_queue WHERE job_id = ANY ($1) ORDER BY array_position($1, job_id)`,
      [all],
    );
    const returned = { state: 'ready', worker_id: null, free: true, ended: true, retry_count: 0 };
    const leased = { state: 'leased', worker_id: 'w1', free: false, ended: false, retry_count: 0 };
    expect(rows).toEqual(all.map((_, n) => (n < 4 ? returned : leased)));
  });

  it('shows the attempt in the history of a job that its worker had received, which is due as before', async () => {
    const [lease] = await claimNew();
    await fixture.sql(`UPDATE job_queue SET retry_count = 2, due_at = '2020-01-01Z' WHERE job_id = $1`, [lease!.jobId]);
    await fixture.run(command('job.release', org, { leases: [lease!], delivered: true }));
    const history = await fixture.sql(
      `SELECT attempt, worker_id, lease_id FROM job_history WHERE job_id = $1 AND event = 'released'`,
      [lease!.jobId],
    );
    expect(history).toEqual([{ attempt: 3, worker_id: 'w1', lease_id: lease!.leaseId }]);
    const [row] = await fixture.sql('SELECT state, retry_count, due_at FROM job_queue WHERE job_id = $1', [
      lease!.jobId,
    ]);
    expect(row).toEqual({ state: 'ready', retry_count: 2, due_at: new Date('2020-01-01T00:00:00Z') });
  });

  it('BX-02 returns a job once whose lease is named twice', async () => {
    const [lease] = await claimNew();
    const leases = [lease!, lease!];
    expect(await fixture.run(command('job.release', org, { leases, delivered: true }))).toEqual({ releasedJobs: 1 });
    const past = await fixture.sql('SELECT event FROM job_history WHERE job_id = $1', [lease!.jobId]);
    expect(past).toEqual([{ event: 'released' }]);
    const returned = fixture.events(org).filter(({ data }) => 'new_status' in data && data.new_status === 'pending');
    expect(returned).toHaveLength(1);
  });

  it('cancels a job once that was asked to end and is named twice, by its lease and by its claim', async () => {
    await fixture.run(enqueue(org, [newJob()]));
    const one = claim(org);
    const { jobs } = await fixture.run(one);
    const { id: jobId, leaseId } = jobs[0]!;
    const asked = { jobId, queues: null, reason: null, force: false, graceSeconds: null };
    await fixture.run(command('job.requestCancellation', org, asked));
    const { queueName, workerId } = one.body;
    const claims = [{ claimId: one.id, queueName, workerId }];
    const leases = [
      { jobId, leaseId },
      { jobId, leaseId },
    ];
    expect(await fixture.run(command('job.release', org, { leases, claims }))).toEqual({ releasedJobs: 1 });
    const past = await fixture.sql(`SELECT attempt FROM job_history WHERE job_id = $1 AND event = 'cancelled'`, [
      jobId,
    ]);
    expect(past).toEqual([{ attempt: 1 }]);
    const counted = await fixture.sql(
      'SELECT sum(cancelled)::int AS cancelled FROM job_stats WHERE organization_id = $1',
      [org],
    );
    expect(counted).toEqual([{ cancelled: 1 }]);
  });

  it('BX-30 cancels a job that was asked to end, in place of returning it', async () => {
    const [lease] = await claimNew();
    const asked = { jobId: lease!.jobId, queues: null, reason: null, force: false, graceSeconds: null };
    await fixture.run(command('job.requestCancellation', org, asked));
    await fixture.run(command('job.release', org, { leases: [lease!], delivered: true }));
    expect(await fixture.job(lease!.jobId)).toMatchObject({ status: 'cancelled' });
    const past = await fixture.sql('SELECT event, attempt FROM job_history WHERE job_id = $1 ORDER BY at, id', [
      lease!.jobId,
    ]);
    expect(past).toEqual([
      { event: 'cancel_requested', attempt: null },
      { event: 'cancelled', attempt: 1 },
    ]);
  });
});
