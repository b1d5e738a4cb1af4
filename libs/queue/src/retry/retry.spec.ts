import type { QueueScope } from '@spooled/contracts';
import { command, enqueue, newJob, unlimited } from '@spooled/testing';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';

const fixture = useEngine();
let org: string;
beforeEach(async () => void (org = await fixture.organization()));

const retry = (organizationId: string, jobId: string, queues: QueueScope = null) =>
  fixture.run(command('job.retry', organizationId, { jobId, queues, quota: unlimited }));
const refused = (status: number, message: string) => expect.objectContaining({ status, message });

async function deadLetter(): Promise<string> {
  await fixture.run(enqueue(org, [newJob()]));
  const job = await fixture.claimOne(org);
  await fixture.run(workerCommands(org).fail(job, false));
  return job.id;
}

describe('SP-30 retrying a job', () => {
  it('is 404 for other tenants and for keys of other queues, and changes nothing', async () => {
    const id = await deadLetter();
    const other = await fixture.organization();
    const attempts = [retry(other, id), retry(org, id, ['bills']), retry(org, newJob().id)];
    await Promise.all(attempts.map((one) => expect(one).rejects.toEqual(refused(404, 'Job not found'))));
    expect(await fixture.job(id)).toMatchObject({ status: 'deadletter' });
    expect(await retry(org, id, ['bills', 'emails'])).toEqual({ jobId: id });
    expect(await fixture.job(id)).toMatchObject({ status: 'pending', retry_count: 0 });
  });

  it('is refused with its status unless it has failed', async () => {
    const problem = (status: string) =>
      refused(409, `Only failed and dead-lettered jobs can be retried: this one is ${status}`);
    const job = newJob();
    await fixture.run(enqueue(org, [job]));
    await expect(retry(org, job.id)).rejects.toEqual(problem('pending'));
    const held = await fixture.claimOne(org);
    await expect(retry(org, job.id)).rejects.toEqual(problem('processing'));
    await fixture.run(workerCommands(org).complete(held));
    await expect(retry(org, job.id)).rejects.toEqual(problem('completed'));
  });

  it('wakes the queues of what can be claimed then, and is audited if other jobs come back with it', async () => {
    const alone = await deadLetter();
    const [parent, child] = [newJob(), newJob({ queueName: 'images' })];
    await fixture.run(enqueue(org, [parent, child]));
    const dependency = { jobId: child.id, dependsOn: [parent.id], mode: null, queues: null };
    await fixture.run(command('job.addDependencies', org, dependency));
    await fixture.run(workerCommands(org).fail(await fixture.claimOne(org), false));
    fixture.effects.length = 0;
    for (const id of [alone, parent.id]) await retry(org, id);
    expect(await fixture.job(child.id)).toMatchObject({ status: 'pending' });
    const woken = { organizationId: org, queueName: 'emails' };
    expect(fixture.effects.flatMap(({ wakeups }) => wakeups)).toEqual([woken, woken]);
    const audited = await fixture.sql(
      `SELECT action, target_id, after FROM audit_log WHERE organization_id = $1 AND target_kind = 'job'`,
      [org],
    );
    expect(audited).toEqual([{ action: 'job.retried', target_id: parent.id, after: { jobs: 2 } }]);
  });
});
