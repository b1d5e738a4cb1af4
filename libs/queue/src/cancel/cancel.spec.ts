import type { QueueScope } from '@spooled/contracts';
import { command, enqueue, newJob, untilLocked } from '@spooled/testing';
import pg from 'pg';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';

const fixture = useEngine();
let org: string;
beforeEach(async () => void (org = await fixture.organization()));

const cancel = (organizationId: string, jobId: string, queues: QueueScope = null) =>
  fixture.run(command('job.cancel', organizationId, { jobId, queues }));
const refused = (status: number, message: string) => expect.objectContaining({ status, message });

describe('cancelling a job', () => {
  it('is 404 for other tenants and for keys of other queues, and changes nothing', async () => {
    const job = newJob();
    await fixture.run(enqueue(org, [job]));
    const other = await fixture.organization();
    const attempts = [cancel(other, job.id), cancel(org, job.id, ['bills']), cancel(org, newJob().id)];
    await Promise.all(attempts.map((one) => expect(one).rejects.toEqual(refused(404, 'Job not found'))));
    expect(await fixture.job(job.id)).toMatchObject({ status: 'pending' });
    expect(await cancel(org, job.id, ['emails'])).toEqual({ oldStatus: 'pending' });
  });

  it('is refused with its status while a worker holds it and after its end', async () => {
    await fixture.run(enqueue(org, [newJob()]));
    const held = await fixture.claimOne(org);
    await expect(cancel(org, held.id)).rejects.toEqual(refused(409, 'Job cannot be cancelled: it is processing'));
    await fixture.run(workerCommands(org).complete(held));
    await expect(cancel(org, held.id)).rejects.toEqual(refused(409, 'Job cannot be cancelled: it is completed'));
  });

  it('is refused as that of a running job when a worker claims the job at this moment', async () => {
    const job = newJob();
    await fixture.run(enqueue(org, [job]));
    const claiming = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await claiming.connect();
    try {
      await claiming.query('BEGIN');
      await claiming.query(`UPDATE job_queue SET state = 'leased' WHERE job_id = $1`, [job.id]);
      const cancelled = expect(cancel(org, job.id)).rejects.toEqual(
        refused(409, 'Job cannot be cancelled: it is processing'),
      );
      await untilLocked(fixture.superuser);
      await claiming.query('COMMIT');
      await cancelled;
    } finally {
      await claiming.end();
    }
  });

  it('is announced with the former status of each job, and audited if it takes others along', async () => {
    const [alone, parent] = [newJob(), newJob()];
    await fixture.run(enqueue(org, [alone, parent]));
    const child = newJob({ parentJobId: parent.id, scheduledAt: '2100-01-01T00:00:00Z' });
    await fixture.run(enqueue(org, [child]));
    fixture.effects.length = 0;
    for (const { id } of [alone, parent]) await cancel(org, id);
    const told = fixture.events(org).map(({ data }) => data);
    expect(told).toMatchObject([
      { job_id: alone.id, old_status: 'pending', new_status: 'cancelled' },
      { job_id: parent.id, old_status: 'pending', new_status: 'cancelled' },
      { job_id: child.id, old_status: 'scheduled', new_status: 'cancelled' },
    ]);
    const audited = await fixture.sql(
      `SELECT action, target_id, after FROM audit_log WHERE organization_id = $1 AND target_kind = 'job'`,
      [org],
    );
    expect(audited).toEqual([{ action: 'job.cancelled', target_id: parent.id, after: { jobs: 2 } }]);
  });
});

describe('jobs that are cancelled together', () => {
  const cancelAll = async (ids: string[], reason: string | null) => {
    const [row] = await fixture.sql<{ answer: { cancelled: { id: string; queue: string; old: string }[] } }>(
      'SELECT cancel_jobs_v1($1, $2, $3) AS answer',
      [org, ids, reason],
    );
    return row!.answer.cancelled.sort((a, b) => (a.queue < b.queue ? -1 : 1));
  };
  /** One that waits for a retry, one for its time and one in another queue; beside them a leased one and one of another tenant. */
  async function mixed() {
    const [leased, kept] = [newJob(), newJob()];
    await fixture.run(enqueue(org, [leased]));
    await fixture.claimOne(org);
    const own = ['a', 'b', 'c'].map((queueName) => newJob({ queueName }));
    const theirs = newJob();
    await fixture.run(enqueue(org, [...own, kept]));
    await fixture.run(enqueue(await fixture.organization(), [theirs]));
    const [retrying, scheduled] = own.map(({ id }) => id);
    await fixture.sql(
      `UPDATE job_queue SET state = CASE job_id WHEN $1 THEN 'retrying' ELSE 'scheduled' END::live_state, due_at = current_ts(),
         retry_count = 2, last_error = 'before' WHERE job_id IN ($1, $2)`,
      [retrying, scheduled],
    );
    return { ids: own.map(({ id }) => id), beside: [leased.id, theirs.id], kept: kept.id };
  }
  const records = (ids: string[]) =>
    fixture.sql(
      `SELECT outcome, last_error, retry_count, completed_at = cancelled_at AND cancelled_at = updated_at AS at_once
       FROM jobs WHERE id = ANY ($1) ORDER BY queue_name`,
      [ids],
    );
  const ended = (last_error: string | null, retry_count: number) => ({
    ...{ outcome: 'cancelled', last_error, retry_count },
    at_once: true,
  });

  it('are answered with their queues and former statuses, and leave leased ones and other tenants alone', async () => {
    const { ids, beside, kept } = await mixed();
    const old = ['pending', 'scheduled', 'pending'];
    expect(await cancelAll([...ids, ...beside], null)).toEqual(
      ids.map((id, n) => ({ id, queue: 'abc'[n], old: old[n] })),
    );
    expect(await records(ids)).toEqual([ended('before', 2), ended('before', 2), ended(null, 0)]);
    const live = await fixture.sql('SELECT job_id FROM job_queue WHERE job_id = ANY ($1)', [[...ids, ...beside, kept]]);
    expect(live.map(({ job_id }) => job_id).sort()).toEqual([...beside, kept].sort());
    expect(await cancelAll(ids, null)).toEqual([]);
  });

  it('are counted by queue, and keep the reason as their error and in their history', async () => {
    const stats = () =>
      fixture.sql(
        `SELECT queue_name, sum(cancelled)::int AS n, (count(*) / count(DISTINCT hour))::int AS rows FROM job_stats WHERE organization_id = $1 AND cancelled > 0
         GROUP BY queue_name ORDER BY queue_name`,
        [org],
      );
    const first = await mixed();
    await cancelAll(first.ids, 'no longer needed');
    expect(await records(first.ids)).toEqual([
      ended('no longer needed', 2),
      ended('no longer needed', 2),
      ended('no longer needed', 0),
    ]);
    const history = await fixture.sql(
      `SELECT error, actor FROM job_history WHERE job_id = ANY ($1) AND event = 'cancelled'`,
      [first.ids],
    );
    expect(history).toEqual(first.ids.map(() => ({ error: 'no longer needed', actor: null })));
    const more = [newJob({ queueName: 'a' }), newJob({ queueName: 'a' })];
    await fixture.run(enqueue(org, more));
    await cancelAll(
      more.map(({ id }) => id),
      null,
    );
    expect(await stats()).toEqual([3, 1, 1].map((n, i) => ({ queue_name: 'abc'[i], n, rows: 1 })));
  });

  it('take the children that cannot run without them along', async () => {
    const parent = newJob();
    await fixture.run(enqueue(org, [parent]));
    const child = newJob({ parentJobId: parent.id });
    await fixture.run(enqueue(org, [child, newJob()]));
    const cancelled = await cancelAll([parent.id], null);
    expect(cancelled.map(({ id }) => id).sort()).toEqual([parent.id, child.id].sort());
  });
});
