import { randomUUID } from 'node:crypto';
import { claim, command, enqueue, newJob } from '@spooled/testing';
import { SeriesFixture } from './series.fixture.js';

let series: SeriesFixture;
beforeAll(async () => void (series = await SeriesFixture.open()));
beforeEach(() => series.begin());
afterAll(() => series?.close());

describe('BX-25 samples of queues', () => {
  it('BX-25 have how long jobs waited and ran, by queue and in all', async () => {
    const org = randomUUID();
    await series.task.run();
    await series.run(
      enqueue(org, [newJob({ queueName: 'mail' }), newJob({ queueName: 'mail' }), newJob({ queueName: 'other' })]),
    );
    await series.superuser.query(
      `UPDATE job_queue SET created_at = created_at - interval '20 seconds' WHERE queue_name = 'mail'`,
    );
    const [mail, other] = await series.run(
      claim(org, { queueName: 'mail', limit: 2 }),
      claim(org, { queueName: 'other', limit: 1 }),
    );
    const end = ({ id }: { id: string }) =>
      command('job.complete', org, { jobId: id, workerId: 'w1', leaseId: null, queues: null, result: null });
    await series.superuser.query(
      `UPDATE job_queue SET started_at = started_at - interval '200 seconds' WHERE queue_name = 'other'`,
    );
    await series.run(end(mail!.jobs[0]!), end(other!.jobs[0]!));
    await series.latencies.flush();
    await series.sample();
    const rows = await series.newest(org);
    // 20 s and 200 s are in the buckets that begin at 17.8 s and 178 s.
    expect(rows['mail']).toMatchObject({ wait_buckets: [18], wait_jobs: [2], run_jobs: [1] });
    expect(rows['other']).toMatchObject({ wait_jobs: [1], run_buckets: [22], run_jobs: [1] });
    expect(rows['']).toMatchObject({ run_jobs: [1, 1] });
    expect((rows['']!.wait_jobs as number[]).reduce((sum, jobs) => sum + jobs)).toBe(3);
    // The sample took them, so that the next one does not count them again.
    await series.sample();
    expect((await series.newest(org))['mail']).toMatchObject({ wait_jobs: [], run_jobs: [] });
    expect(series.lost).toEqual([]);
  });

  it('BX-25 have measurements that come after the sample that counted their jobs', async () => {
    const org = randomUUID();
    await series.task.run();
    await series.run(enqueue(org, [newJob({ queueName: 'mail' })]));
    const [claimed] = await series.run(claim(org, { queueName: 'mail', limit: 1 }));
    const body = { jobId: claimed!.jobs[0]!.id, workerId: 'w1', leaseId: null, queues: null, result: null };
    await series.run(command('job.complete', org, body));
    await series.sample();
    // The next sample finds a running job no longer, so that the queue has nothing but the measurements in the one after it.
    await series.sample();
    await series.latencies.flush();
    await series.sample();
    const rows = await series.newest(org);
    expect(rows['mail']).toMatchObject({ completed: 0, wait_jobs: [1], run_jobs: [1] });
    expect(rows['']).toMatchObject({ wait_jobs: [1], run_jobs: [1] });
  });

  it('BX-25 keep no measurements while nobody samples, so that they do not pile up', async () => {
    const org = randomUUID();
    const measure = async () => {
      await series.run(enqueue(org, [newJob()]));
      await series.run(claim(org, { limit: 1 }));
      await series.latencies.flush();
      return (await series.superuser.query('SELECT FROM latency_counts')).rowCount;
    };
    expect(await measure()).toBe(0);
    await series.task.run();
    expect(await measure()).toBe(1);
    await series.pass(600);
    expect(await measure()).toBe(1);
  });

  it('BX-25 do not count measurements from before the sampler was away, and take them away', async () => {
    const org = randomUUID();
    await series.task.run();
    const measure = async () => {
      await series.run(enqueue(org, [newJob({ queueName: 'mail' })]));
      await series.run(claim(org, { queueName: 'mail', limit: 1 }));
      await series.latencies.flush();
    };
    await measure();
    await series.superuser.query(`UPDATE latency_counts SET id = uuidv7(interval '-10 minutes')`);
    await series.sample();
    expect((await series.superuser.query('SELECT FROM latency_counts')).rowCount).toBe(0);
    expect((await series.newest(org))['mail']).toMatchObject({ processing: 1, wait_jobs: [] });
    await measure();
    await series.sample();
    expect((await series.newest(org))['mail']).toMatchObject({ wait_jobs: [1] });
  });
});
