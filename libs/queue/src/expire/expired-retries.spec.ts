import type { ClaimedJob } from '@spooled/contracts';
import { claim, command, enqueue, newJob } from '@spooled/testing';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';

const fixture = useEngine();
let org: string;
beforeEach(async () => void (org = await fixture.organization()));

/** Jobs whose first attempt has failed with `error n`; each of a type of its own, and waiting for its retry. */
async function waiting(count: number): Promise<string[]> {
  const settings = '{"retry_strategy":"fixed","retry_delay_ms":3600000,"retry_jitter_ms":0}';
  for (let n = 0; n < count; n++)
    await fixture.run(enqueue(org, [newJob({ jobType: `type-${n}`, maxRetries: 5, settings })]));
  const { jobs } = await fixture.run(claim(org, { limit: count }));
  const failures = jobs.map((job: ClaimedJob, n) =>
    command('job.fail', org, { ...workerCommands(org).proof(job), error: `error ${n}`, retry: true }),
  );
  await fixture.engine.execute(failures);
  return jobs.map(({ id }) => id);
}

const set = (ids: string[], values: string) =>
  fixture.sql(`UPDATE job_queue SET ${values} WHERE job_id = ANY ($1)`, [ids]);
const expired = `expires_at = current_ts() - interval '1 s'`;

describe('retries that expire together', () => {
  it('MQ-27 become dead letters each with its own error and type, and are counted once', async () => {
    const ids = await waiting(2);
    await set(ids, expired);
    await set(ids.slice(1), `${expired}, retry_count = 4`);
    expect(await fixture.maintenance.expireJobs(10)).toBe(2);
    const dead = await fixture.sql(
      `SELECT j.id, j.outcome, j.last_error, j.retry_count, d.job_type, d.queue_name, d.created_at = j.created_at AS as_created,
         h.error, h.attempt, d.dead_at = h.at AS at_once
       FROM jobs j JOIN dead_letters d ON d.job_id = j.id JOIN job_history h ON h.job_id = j.id AND h.event = 'deadlettered'
       WHERE j.organization_id = $1 ORDER BY j.last_error`,
      [org],
    );
    const same = { outcome: 'deadletter', queue_name: 'emails', as_created: true, at_once: true };
    expect(dead).toEqual([
      { id: ids[0], last_error: 'error 0', error: 'error 0', retry_count: 1, attempt: 1, job_type: 'type-0', ...same },
      { id: ids[1], last_error: 'error 1', error: 'error 1', retry_count: 4, attempt: 4, job_type: 'type-1', ...same },
    ]);
    expect(await fixture.sql('SELECT FROM job_queue WHERE organization_id = $1', [org])).toEqual([]);
    const groups = await fixture.sql('SELECT DISTINCT group_id FROM dead_letters WHERE organization_id = $1', [org]);
    expect(groups).toHaveLength(2);
    const more = await waiting(1);
    await set(more, expired);
    await fixture.maintenance.expireJobs(10);
    expect(
      await fixture.sql(
        `SELECT sum(deadlettered)::int AS dead, sum(retried)::int AS retried, sum(expired)::int AS expired,
           (count(*) FILTER (WHERE deadlettered > 0) / count(DISTINCT hour) FILTER (WHERE deadlettered > 0))::int AS rows
         FROM job_stats WHERE organization_id = $1`,
        [org],
      ),
    ).toEqual([{ dead: 3, retried: 3, expired: 3, rows: 1 }]);
  });

  it('MQ-27 cancel the jobs that need them, and no others', async () => {
    const [dying, living] = await waiting(2);
    const [child, other] = [newJob(), newJob()];
    await fixture.run(enqueue(org, [child, other]));
    for (const [jobId, parent] of [
      [child.id, dying!],
      [other.id, living!],
    ] as const)
      await fixture.run(command('job.addDependencies', org, { jobId, dependsOn: [parent], mode: null, queues: null }));
    await set([dying!], expired);
    await fixture.maintenance.expireJobs(10);
    expect([(await fixture.job(child.id)).status, (await fixture.job(other.id)).status]).toEqual([
      'cancelled',
      'pending',
    ]);
  });

  it('are those whose time is over, not those that a worker holds', async () => {
    const [dying, later, never, held] = await waiting(4);
    await set([dying!, held!], expired);
    await set([later!], `expires_at = current_ts() + interval '1 minute'`);
    await set([held!], `state = 'leased', worker_id = 'w1', lease_expires_at = current_ts() + interval '1 minute'`);
    // The search for them and their end are two statements: what has changed between them counts.
    await fixture.sql('SELECT expire_retries_v1($1, $2)', [org, [later, never, held]]);
    expect(await fixture.maintenance.expireJobs(10)).toBe(1);
    const statuses: unknown[] = [];
    for (const id of [dying!, later!, never!, held!]) statuses.push((await fixture.job(id)).status);
    expect(statuses).toEqual(['deadletter', 'pending', 'pending', 'processing']);
  });

  it('are ended some at a time, the longest expired first', async () => {
    const [first, second, third] = await waiting(3);
    await set([second!], `expires_at = current_ts() - interval '3 s'`);
    await set([third!], `expires_at = current_ts() - interval '2 s'`);
    await set([first!], expired);
    const left = async () =>
      (await fixture.sql<{ job_id: string }>('SELECT job_id FROM job_queue WHERE organization_id = $1', [org])).map(
        ({ job_id }) => job_id,
      );
    expect(await fixture.maintenance.expireJobs(2)).toBe(2);
    expect(await left()).toEqual([first]);
    expect(await fixture.maintenance.expireJobs(2)).toBe(1);
    expect(await left()).toEqual([]);
  });
});
