import { claim, enqueue, newJob } from '@spooled/testing';
import { EngineFixture, workerCommands } from '../testing/job-lifecycle.fixture.js';
import { OperationsFixture } from './operations.fixture.js';

let fixture: EngineFixture;
let operations: OperationsFixture;
beforeAll(async () => (fixture = await EngineFixture.open()));
beforeEach(async () => (operations = new OperationsFixture(fixture, await fixture.organization())));
afterAll(() => fixture.close());

const filter = { queue_name: 'mail' };
const actor = 'api_key 1 ops';
const inMail = (more: Parameters<typeof newJob>[0] = {}) => newJob({ queueName: 'mail', ...more });
const claimed = async (): Promise<string[]> =>
  (await fixture.run(claim(operations.org, { queueName: 'mail', limit: 10 }))).jobs.map(({ id }) => id);
const historyOf = (event: string) =>
  fixture.sql<{ job_id: string; actor: string | null; details: object | null }>(
    'SELECT job_id, actor, details FROM job_history WHERE organization_id = $1 AND event = $2 ORDER BY job_id',
    [operations.org, event],
  );

describe('an operation that changes priorities', () => {
  it('BX-15 changes those that differ, which are claimed in their new order, and tells their history', async () => {
    const [low, same, other, elsewhere] = [
      inMail({ jobType: 'a' }),
      inMail({ jobType: 'a', priority: 9 }),
      inMail({ priority: 5 }),
      newJob({ queueName: 'reports', jobType: 'a' }),
    ];
    await fixture.run(enqueue(operations.org, [low!, same!, other!, elsewhere!]));
    const settings = { priority: 9 };
    const id = await operations.create('job.prioritize', { filter: { ...filter, job_type: 'a' }, settings, actor });
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 1, succeeded: 1 });
    expect(await historyOf('priority_changed')).toEqual([{ job_id: low!.id, actor, details: { from: 0, to: 9 } }]);
    expect(await claimed()).toEqual([low!.id, same!.id, other!.id]);
    const records = await fixture.sql('SELECT priority FROM jobs WHERE id = ANY ($1) ORDER BY priority', [
      [low!.id, elsewhere!.id],
    ]);
    expect(records).toEqual([{ priority: 0 }, { priority: 9 }]);
  });

  it('BX-15 takes several steps, and leaves jobs that a worker holds', async () => {
    const jobs = Array.from({ length: 600 }, () => inMail());
    for (let i = 0; i < jobs.length; i += 100) await fixture.run(enqueue(operations.org, jobs.slice(i, i + 100)));
    const held = await claimed();
    const id = await operations.create('job.prioritize', { filter, settings: { priority: -3 } });
    await operations.step();
    expect(await operations.counts(id)).toMatchObject({ state: 'running', processed: 500 });
    expect(await operations.finish(id)).toMatchObject({ processed: 590, succeeded: 590 });
    const left = await fixture.sql('SELECT job_id FROM job_queue WHERE organization_id = $1 AND priority = 0', [
      operations.org,
    ]);
    expect(left.map(({ job_id }) => job_id).sort()).toEqual(held.sort());
  });
});

describe('an operation that runs jobs now', () => {
  const later = '2100-01-01T00:00:00Z';

  /** A job that waits for its next attempt. */
  async function retrying(): Promise<string> {
    const job = inMail();
    await fixture.run(enqueue(operations.org, [job]));
    const { jobs } = await fixture.run(claim(operations.org, { queueName: 'mail', limit: 1 }));
    await fixture.run(workerCommands(operations.org).fail(jobs[0]!, true));
    return job.id;
  }

  it('BX-15 makes those claimable that wait for a time, wakes their queue, and tells their history', async () => {
    const failed = await retrying();
    const [scheduled, ready, elsewhere] = [
      inMail({ scheduledAt: later }),
      inMail({ priority: -10 }),
      newJob({ queueName: 'reports', scheduledAt: later }),
    ];
    await fixture.run(enqueue(operations.org, [scheduled!, ready!, elsewhere!]));
    fixture.effects.length = 0;
    const id = await operations.create('job.run_now', { filter, actor });
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 2, succeeded: 2 });
    expect((await historyOf('activated')).map((row) => [row.job_id, row.actor])).toEqual(
      [failed, scheduled!.id].sort().map((job) => [job, actor]),
    );
    expect(fixture.effects.flatMap(({ wakeups }) => wakeups)).toEqual([
      { organizationId: operations.org, queueName: 'mail' },
    ]);
    expect(fixture.effects.flatMap(({ events }) => events.flatMap((batch) => batch.events))).toMatchObject([
      { data: { job_id: scheduled!.id, old_status: 'scheduled', new_status: 'pending' } },
    ]);
    expect(await claimed()).toEqual([failed, scheduled!.id, ready!.id]);
    expect(await operations.statuses([elsewhere!.id])).toEqual(['scheduled']);
  });

  it('BX-15 leaves a job to its backoff that fails while it runs', async () => {
    const failed = await retrying();
    await retrying();
    const id = await operations.create('job.run_now', { filter, settings: { per_second: 1 } });
    await operations.step();
    const { jobs } = await fixture.run(claim(operations.org, { queueName: 'mail', limit: 10 }));
    for (const job of jobs) await fixture.run(workerCommands(operations.org).fail(job, true));
    expect(await operations.finish(id)).toMatchObject({ state: 'completed', processed: 2 });
    const [row] = await fixture.sql('SELECT retry_count, state FROM job_queue WHERE job_id = $1', [failed]);
    expect([row]).toEqual([
      expect.objectContaining({ state: jobs.some((job) => job.id === failed) ? 'retrying' : 'ready' }),
    ]);
    expect(await historyOf('activated')).toHaveLength(2);
  });
});
