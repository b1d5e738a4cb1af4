import { claim, command, enqueue, newJob } from '@spooled/testing';
import { EngineFixture } from '../testing/job-lifecycle.fixture.js';

describe('releasing leases', () => {
  let bench: EngineFixture;
  let org: string;

  beforeAll(async () => {
    bench = await EngineFixture.open();
  });
  beforeEach(async () => {
    org = await bench.organization();
  });
  afterAll(() => bench.close());

  const claimNew = async (count = 1) => {
    await bench.run(
      enqueue(
        org,
        Array.from({ length: count }, () => newJob()),
      ),
    );
    const { jobs } = await bench.run(claim(org, { limit: count }));
    return jobs.map(({ id: jobId, leaseId }) => ({ jobId, leaseId }));
  };
  const release = (leases: { jobId: string; leaseId: string }[], organizationId = org) =>
    command('job.release', organizationId, { leases });

  it('BX-02 gives jobs back at once and at no cost, and says so', async () => {
    const leases = await claimNew(2);
    expect(await bench.run(release(leases))).toEqual({ releasedJobs: 2 });
    const { jobs } = await bench.run(claim(org, { limit: 5, workerId: 'w2' }));
    expect(jobs.map(({ id }) => id)).toEqual(leases.map(({ jobId }) => jobId));
    expect(jobs.map(({ retryCount }) => retryCount)).toEqual([0, 0]);
    expect(bench.heard.flatMap(({ wakeups }) => wakeups)).toContainEqual({ organizationId: org, queueName: 'emails' });
    const moves = bench.events(org).filter(({ type }) => type === 'JobStatusChange');
    expect(moves).toContainEqual(
      expect.objectContaining({
        data: expect.objectContaining({ job_id: leases[0]!.jobId, old_status: 'processing', new_status: 'pending' }),
      }),
    );
  });

  it('BX-02 leaves alone whoever holds the job by now, what has ended, and other organizations', async () => {
    const [first, second, third] = await claimNew(3);
    await bench.run(release([first!]));
    const { jobs } = await bench.run(claim(org, { workerId: 'w2' }));
    const proof = { jobId: second!.jobId, workerId: 'w1', leaseId: second!.leaseId, queues: null };
    await bench.run(command('job.complete', org, { ...proof, result: null }));

    expect(await bench.run(release([first!, second!]))).toEqual({ releasedJobs: 0 });
    expect(await bench.run(release([third!], await bench.organization()))).toEqual({ releasedJobs: 0 });
    expect(await bench.job(first!.jobId)).toMatchObject({ status: 'processing', lease_id: jobs[0]!.leaseId });
    expect(await bench.job(second!.jobId)).toMatchObject({ status: 'completed' });
    expect(await bench.job(third!.jobId)).toMatchObject({ status: 'processing', lease_id: third!.leaseId });
  });

  it('leaves a lease that has run out to the recovery, where it costs the attempt', async () => {
    const [lease] = await claimNew();
    await bench.sql(`UPDATE job_queue SET lease_expires_at = now() - interval '1 second' WHERE job_id = $1`, [
      lease!.jobId,
    ]);
    expect(await bench.run(release([lease!]))).toEqual({ releasedJobs: 0 });
  });
});
