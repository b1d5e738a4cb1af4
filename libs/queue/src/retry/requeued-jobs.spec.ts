import type { ClaimedJob } from '@spooled/contracts';
import { claim, command, enqueue, newJob, unlimited } from '@spooled/testing';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';

const fixture = useEngine();
let org: string;
beforeEach(async () => void (org = await fixture.organization()));

async function claimed(count: number, more: Parameters<typeof newJob>[0] = {}): Promise<ClaimedJob[]> {
  for (let n = 0; n < count; n++) await fixture.run(enqueue(org, [newJob(more)]));
  return (await fixture.run(claim(org, { limit: count }))).jobs;
}
async function deadLetters(count: number, more: Parameters<typeof newJob>[0] = {}): Promise<string[]> {
  const jobs = await claimed(count, more);
  for (const job of jobs) await fixture.run(workerCommands(org).fail(job, false));
  return jobs.map(({ id }) => id);
}
/** Requeues jobs as retries of one or many do. */
async function requeue(ids: string[], outcomes = ['deadletter', 'failed'], quota: object | null = null) {
  const [row] = await fixture.sql<{ answer: { requeued: { id: string; old: string; ready: boolean }[] } }>(
    'SELECT requeue_jobs_v1($1, $2, $3, $4) AS answer',
    [org, ids, outcomes, quota && JSON.stringify(quota)],
  );
  return row!.answer.requeued.sort((a, b) => (a.id < b.id ? -1 : 1));
}
const depend = (jobId: string, ...dependsOn: string[]) =>
  fixture.run(command('job.addDependencies', org, { jobId, dependsOn, mode: null, queues: null }));

describe('SP-30 a job that is put back', () => {
  it('starts as new: without attempts, error, lease or end, due now, and in its old place', async () => {
    const [id] = await deadLetters(1, { priority: 7, maxRetries: 4 });
    await fixture.sql(
      `UPDATE jobs SET result = '{}', retry_count = 4, cancelled_at = now(), completed_at = now() WHERE id = $1`,
      [id],
    );
    const others = await deadLetters(1);
    expect(await requeue([id!])).toEqual([{ id, queue: 'emails', old: 'deadletter', ready: true }]);
    const [row] = await fixture.sql(
      `SELECT j.outcome, j.retry_count, j.last_error, j.result, j.scheduled_at, j.started_at, j.completed_at, j.cancelled_at,
         j.assigned_worker_id, j.lease_id, q.state, q.priority, q.max_retries, q.retry_count AS attempts, q.last_error AS error,
         q.created_at = j.created_at AS old_place, q.due_at = h.at AS due_now, q.expires_at, q.has_dependents, q.dependencies_met
       FROM jobs j JOIN job_queue q ON q.job_id = j.id JOIN job_history h ON h.job_id = j.id AND h.event = 'retried' WHERE j.id = $1`,
      [id],
    );
    const none = ['outcome', 'last_error', 'result', 'scheduled_at', 'started_at', 'completed_at', 'cancelled_at'];
    expect(row).toEqual({
      ...Object.fromEntries(
        [...none, 'assigned_worker_id', 'lease_id', 'error', 'expires_at'].map((name) => [name, null]),
      ),
      retry_count: 0,
      state: 'ready',
      priority: 7,
      max_retries: 4,
      attempts: 0,
      old_place: true,
      due_now: true,
      has_dependents: false,
      dependencies_met: true,
    });
    expect(await fixture.sql('SELECT job_id FROM dead_letters WHERE organization_id = $1', [org])).toEqual([
      { job_id: others[0] },
    ]);
    expect(await fixture.job(others[0]!)).toMatchObject({ status: 'deadletter' });
  });

  it('keeps an expiry that is to come, and not one that has passed', async () => {
    const [passed, coming] = await deadLetters(2);
    await fixture.sql(`UPDATE jobs SET expires_at = now() - interval '1 s' WHERE id = $1`, [passed]);
    await fixture.sql(`UPDATE jobs SET expires_at = now() + interval '1 hour' WHERE id = $1`, [coming]);
    await requeue([passed!, coming!]);
    const kept = await fixture.sql(
      'SELECT job_id FROM job_queue WHERE organization_id = $1 AND expires_at IS NOT NULL',
      [org],
    );
    expect(kept).toEqual([{ job_id: coming }]);
  });

  it('is one with a wanted outcome; a completed one keeps its attempt in its history', async () => {
    const [dead] = await deadLetters(1);
    const [done, other] = await claimed(2);
    for (const job of [done, other]) await fixture.run(workerCommands(org).complete(job!));
    const live = newJob();
    await fixture.run(enqueue(org, [live]));
    const ids = [dead!, done!.id, live.id];
    expect((await requeue(ids, ['completed'])).map(({ id, old }) => [id, old])).toEqual([[done!.id, 'completed']]);
    expect((await requeue(ids)).map(({ id, old }) => [id, old])).toEqual([[dead, 'deadletter']]);
    const kept = await fixture.sql(
      `SELECT job_id, attempt, worker_id, lease_id FROM job_history WHERE organization_id = $1 AND event = 'completed'`,
      [org],
    );
    expect(kept).toEqual([{ job_id: done!.id, attempt: 1, worker_id: 'w1', lease_id: done!.leaseId }]);
    expect(await requeue(ids, ['deadletter', 'completed'])).toEqual([]);
  });

  it('is no longer among the totals of what ended, and counts for the day', async () => {
    const [dead] = await deadLetters(1);
    const [done] = await claimed(1);
    await fixture.run(workerCommands(org).complete(done!));
    const cancelled = newJob();
    await fixture.run(enqueue(org, [cancelled]));
    await fixture.run(command('job.cancel', org, { jobId: cancelled.id, queues: null }));
    const totals = async () =>
      (
        await fixture.sql(
          `SELECT sum(created)::int AS created, sum(completed)::int AS completed, sum(cancelled)::int AS cancelled,
             (SELECT sum(jobs_created)::int FROM usage_counters WHERE organization_id = $1) AS used
           FROM job_stats WHERE organization_id = $1`,
          [org],
        )
      )[0];
    expect(await totals()).toEqual({ created: 3, completed: 1, cancelled: 1, used: 3 });
    const all = ['completed', 'cancelled', 'deadletter'];
    await requeue([dead!, done!.id, cancelled.id], all);
    expect(await totals()).toEqual({ created: 3, completed: 0, cancelled: 0, used: 6 });
    const [again] = await claimed(1);
    await fixture.run(workerCommands(org).complete(again!));
    await fixture.run(command('job.cancel', org, { jobId: cancelled.id, queues: null }));
    await requeue([again!.id, cancelled.id], all);
    expect(await totals()).toEqual({ created: 4, completed: 0, cancelled: 0, used: 9 });
    // In the row of old hours, which rates and series leave out.
    const rows = await fixture.sql('SELECT hour, slot FROM job_stats WHERE organization_id = $1 AND completed < 0', [
      org,
    ]);
    expect(rows).toEqual([{ hour: new Date(0), slot: -1 }]);
  });

  it('fits the plan, or none is put back', async () => {
    const ids = await deadLetters(3);
    await expect(requeue(ids, undefined, { maxActiveJobs: 2 })).rejects.toMatchObject({ code: 'SPQ01' });
    expect(await fixture.sql('SELECT FROM job_queue WHERE organization_id = $1', [org])).toEqual([]);
    expect(await requeue(ids, undefined, { maxActiveJobs: 3 })).toHaveLength(3);
    // Nothing to put back needs no place, also when there are more than the plan has.
    expect(await requeue(ids, undefined, { maxActiveJobs: 2 })).toEqual([]);
    const [one] = await deadLetters(1);
    await expect(requeue([one!], undefined, { maxActiveJobs: 3 })).rejects.toMatchObject({ code: 'SPQ01' });
  });

  it('SP-50 brings back the jobs that were cancelled because of it, and waits for parents that have not completed', async () => {
    const [parent, other, mine] = await deadLetters(3);
    const child = newJob();
    const live = newJob();
    await fixture.run(enqueue(org, [child, live]));
    await depend(live.id, child.id);
    await fixture.sql(`UPDATE jobs SET outcome = 'deadletter', updated_at = now() WHERE id = ANY ($1)`, [
      [parent, other],
    ]);
    await fixture.sql('INSERT INTO job_dependencies (organization_id, job_id, depends_on_job_id) VALUES ($1, $2, $3)', [
      org,
      mine,
      parent,
    ]);
    await fixture.sql(
      'INSERT INTO job_dependencies (organization_id, job_id, depends_on_job_id, cancelled_child) VALUES ($1, $2, $3, true)',
      [org, child.id, parent],
    );
    const unrelated = newJob();
    await fixture.sql(
      `INSERT INTO job_dependencies (organization_id, job_id, depends_on_job_id, cancelled_child) VALUES ($1, $2, $3, true)`,
      [org, unrelated.id, other],
    );
    await fixture.run(command('job.cancel', org, { jobId: child.id, queues: null }));
    expect((await fixture.job(live.id)).status).toBe('cancelled');
    const requeued = await requeue([parent!, mine!]);
    const readiness = Object.fromEntries(requeued.map(({ id, ready }) => [id, ready]));
    expect(readiness).toEqual({ [parent!]: true, [mine!]: false, [child.id]: false, [live.id]: false });
    const rows = await fixture.sql(
      'SELECT job_id, has_dependents, dependencies_met FROM job_queue WHERE job_id = ANY ($1) ORDER BY has_dependents, dependencies_met',
      [[parent, mine]],
    );
    expect(rows).toEqual([
      { job_id: mine, has_dependents: false, dependencies_met: false },
      { job_id: parent, has_dependents: true, dependencies_met: true },
    ]);
    expect(
      await fixture.sql('SELECT job_id FROM job_dependencies WHERE organization_id = $1 AND cancelled_child', [org]),
    ).toEqual([{ job_id: unrelated.id }]);
    const written = await fixture.sql(
      `SELECT job_id, details ->> 'from' AS old, (details ->> 'ready')::boolean AS ready FROM job_history
       WHERE organization_id = $1 AND event = 'retried'`,
      [org],
    );
    expect(written).toContainEqual({ job_id: mine, old: 'deadletter', ready: false });
    expect(written).toContainEqual({ job_id: child.id, old: 'cancelled', ready: false });
    expect(await fixture.job(other!)).toMatchObject({ status: 'deadletter' });
  });

  it('of another organization stays as it is', async () => {
    const [id] = await deadLetters(1);
    org = await fixture.organization();
    expect(await requeue([id!])).toEqual([]);
    const retry = command('job.retry', org, { jobId: id!, queues: null, quota: unlimited });
    await expect(fixture.run(retry)).rejects.toMatchObject({ status: 404 });
  });
});
