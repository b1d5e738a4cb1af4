import { claim, enqueue, newJob } from '@spooled/testing';
import pg from 'pg';
import { useEngine } from '../testing/job-lifecycle.fixture.js';

describe('leases that have ended', () => {
  const fixture = useEngine();
  beforeEach(() => fixture.sql('DELETE FROM job_queue'));

  it('SP-25 are taken some at a time, the longest ended first, with their timeouts', async () => {
    const org = await fixture.organization();
    const jobs = Array.from({ length: 5 }, () => newJob());
    await fixture.run(enqueue(org, jobs));
    /** Ended some minutes, started some seconds ago. */
    const lease = (n: number, ended: number, started = 10) =>
      fixture.sql(
        `UPDATE job_queue SET state = 'leased', worker_id = 'w1', lease_id = gen_random_uuid(), timeout_seconds = 60,
           started_at = current_ts() - $3 * interval '1 s', lease_expires_at = current_ts() - $2 * interval '1 min' WHERE job_id = $1`,
        [jobs[n]!.id, ended, started],
      );
    await lease(0, 1);
    await lease(1, 3);
    await lease(2, 2, 70);
    await lease(3, -60);
    await lease(4, 5);
    await fixture.sql(`UPDATE job_queue SET state = 'ready' WHERE job_id = $1`, [jobs[4]!.id]);
    const taken = (most: number) =>
      fixture.sql('SELECT job_id, timed_out_after FROM lock_expired_leases_v1($1, NULL, $2)', [most, []]);
    const [oldest, timedOut, newest] = [jobs[1]!.id, jobs[2]!.id, jobs[0]!.id];
    expect(await taken(2)).toEqual([
      { job_id: oldest, timed_out_after: null },
      { job_id: timedOut, timed_out_after: 60 },
    ]);
    expect(await taken(9)).toEqual([
      { job_id: oldest, timed_out_after: null },
      { job_id: timedOut, timed_out_after: 60 },
      { job_id: newest, timed_out_after: null },
    ]);
    const holder = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM job_queue WHERE job_id = $1 FOR UPDATE', [oldest]);
    expect((await taken(9)).map(({ job_id }) => job_id)).toEqual([timedOut, newest]);
    await holder.query('ROLLBACK');
    await holder.end();
  });

  it('SP-41 of a worker that went offline are recovered some in each transaction, until none is left', async () => {
    const org = await fixture.organization();
    await fixture.run(enqueue(org, [newJob(), newJob(), newJob(), newJob(), newJob()]));
    await fixture.run(claim(org, { limit: 5 }));
    fixture.effects.length = 0;
    expect(await fixture.maintenance.recoverJobsOfWorkers([{ organizationId: org, id: 'w1' }], 2)).toBe(5);
    expect(fixture.effects).toHaveLength(3);
    expect(await fixture.sql("SELECT FROM job_queue WHERE state = 'leased'")).toEqual([]);
  });

  it('SP-25 are retried by the settings of their own queue and job', async () => {
    const [org, other] = [await fixture.organization(), await fixture.organization()];
    const ofJob = { settings: '{"retry_delay_ms": 7}' };
    const jobs = [newJob(ofJob), newJob({ queueName: 'images' })];
    await fixture.run(enqueue(org, jobs));
    const configure = (organization: string, queue: string, delay: number) =>
      fixture.sql('INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, $2, $3)', [
        organization,
        queue,
        JSON.stringify({ max_retry_delay_ms: delay }),
      ]);
    await configure(other, 'emails', 1);
    await configure(org, 'other', 2);
    await configure(org, 'emails', 3);
    await fixture.sql(
      `UPDATE job_queue SET state = 'leased', lease_id = gen_random_uuid(), lease_expires_at = current_ts()`,
    );
    const taken = await fixture.sql(
      `SELECT job_id, settings FROM lock_expired_leases_v1(9, NULL, '{}') ORDER BY settings`,
    );
    expect(taken).toEqual([
      { job_id: jobs[0]!.id, settings: { retry_delay_ms: 7, max_retry_delay_ms: 3 } },
      { job_id: jobs[1]!.id, settings: null },
    ]);
  });
});
