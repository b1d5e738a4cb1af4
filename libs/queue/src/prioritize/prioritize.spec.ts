import { formatActor, type QueueScope } from '@spooled/contracts';
import { claim, command, enqueue, newJob } from '@spooled/testing';
import { useEngine, workerCommands } from '../testing/job-lifecycle.fixture.js';

const fixture = useEngine();
let org: string;
beforeEach(async () => {
  org = await fixture.organization();
});

const actor = formatActor('key', '7', 'Ops');
const prioritize = (jobId: string, priority: number, queues: QueueScope = null, of = org) =>
  fixture.run(command('job.prioritize', of, { jobId, priority, queues }, { actor }));
const stored = async () => {
  const sql = `SELECT j.id, j.priority, coalesce(q.priority, j.priority) AS live, j.updated_at > j.created_at AS updated
    FROM jobs j LEFT JOIN job_queue q ON q.job_id = j.id WHERE j.organization_id = $1`;
  const rows = await fixture.sql<{ id: string; priority: number; live: number; updated: boolean }>(sql, [org]);
  return Object.fromEntries(rows.map(({ id, priority, live, updated }) => [id, [priority, live, updated]]));
};
const history = () =>
  fixture.sql(
    `SELECT job_id, actor, details FROM job_history WHERE organization_id = $1 AND event = 'priority_changed' ORDER BY at`,
    [org],
  );
const refused = expect.objectContaining({ status: 404, message: 'Job not found' }) as unknown;

describe('a change of the priority', () => {
  it('is that of one waiting job, in its record and its history, and decides when it is claimed', async () => {
    const [first, last] = [newJob(), newJob()];
    await fixture.run(enqueue(org, [first, last]));
    expect(await prioritize(last.id, 7)).toEqual({ oldPriority: 0, newPriority: 7 });
    expect(await stored()).toEqual({ [first.id]: [0, 0, false], [last.id]: [7, 7, true] });
    expect(await history()).toEqual([{ job_id: last.id, actor, details: { from: 0, to: 7 } }]);
    const { jobs } = await fixture.run(claim(org, { limit: 1 }));
    expect(jobs).toMatchObject([{ id: last.id, priority: 7 }]);
  });

  it('to the same one is no line in the history', async () => {
    const job = newJob({ priority: 3 });
    await fixture.run(enqueue(org, [job]));
    expect(await prioritize(job.id, 3)).toEqual({ oldPriority: 3, newPriority: 3 });
    expect(await history()).toEqual([]);
  });

  it('is one of jobs that wait for a time, a retry or a parent', async () => {
    const [retried, parent] = [newJob(), newJob({ priority: -5 })];
    const later = newJob({ scheduledAt: '2100-01-01T00:00:00Z' });
    await fixture.run(enqueue(org, [retried, parent, later]));
    const child = newJob({ parentJobId: parent.id });
    await fixture.run(enqueue(org, [child]));
    await fixture.run(workerCommands(org).fail(await fixture.claimOne(org)));
    for (const { id } of [retried, later, child]) await prioritize(id, 9);
    expect(await history()).toHaveLength(3);
  });

  it('is refused for running, ended and unknown jobs, other queues and other organizations, and changes none', async () => {
    const [held, waiting] = [newJob(), newJob()];
    await fixture.run(enqueue(org, [held]));
    const job = await fixture.claimOne(org);
    await fixture.run(enqueue(org, [waiting]));
    await expect(prioritize(held.id, 7)).rejects.toEqual(refused);
    await fixture.run(workerCommands(org).complete(job));
    await expect(prioritize(held.id, 7)).rejects.toEqual(refused);
    await expect(prioritize(newJob().id, 7)).rejects.toEqual(refused);
    await expect(prioritize(waiting.id, 7, ['reports'])).rejects.toEqual(refused);
    await expect(prioritize(waiting.id, 7, null, await fixture.organization())).rejects.toEqual(refused);
    expect(Object.values(await stored()).map(([record, live]) => [record, live])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(await prioritize(waiting.id, 7, ['reports', 'emails'])).toEqual({ oldPriority: 0, newPriority: 7 });
  });
});
