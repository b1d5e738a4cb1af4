import { claim, command, enqueue, newJob } from '@spooled/testing';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';

const fixture = useEngine();

async function queueWith(settings: object, jobs: number): Promise<string> {
  const org = await fixture.organization();
  await fixture.sql(
    `INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, 'emails', $2), ($1, 'reports', $2)`,
    [org, JSON.stringify(settings)],
  );
  await fixture.run(
    enqueue(
      org,
      Array.from({ length: jobs }, () => newJob()),
    ),
  );
  return org;
}

describe('MQ-03 the concurrency limit of a queue', () => {
  it('applies to all workers together under concurrent claims, and each ended job frees a slot', async () => {
    const org = await queueWith({ concurrency: 3 }, 20);
    const claims = Array.from({ length: 8 }, (_, i) => fixture.run(claim(org, { workerId: `w${i}`, limit: 2 })));
    const granted = (await Promise.all(claims)).flatMap(({ jobs }, i) =>
      jobs.map(({ id }) => ({ id, worker: `w${i}` })),
    );
    expect(granted).toHaveLength(3);
    const [first] = granted;
    const proof = { jobId: first!.id, workerId: first!.worker, leaseId: null, queues: null };
    await fixture.run(command('job.complete', org, { ...proof, result: null }));
    expect((await fixture.run(claim(org, { limit: 5 }))).jobs).toHaveLength(1);
  });

  it('announces free places after completions, failures and recovery, and only for such queues', async () => {
    const org = await queueWith({ concurrency: 1 }, 4);
    const { complete, fail } = workerCommands(org);
    const wakeups = async (work: () => Promise<unknown>) => {
      fixture.effects.length = 0;
      await work();
      return fixture.effects.flatMap(({ wakeups }) => wakeups).filter(({ organizationId }) => organizationId === org);
    };
    const woken = [{ organizationId: org, queueName: 'emails' }];
    const first = await fixture.claimOne(org);
    expect(await wakeups(() => fixture.run(complete(first)))).toEqual(woken);
    const second = await fixture.claimOne(org);
    expect(await wakeups(() => fixture.run(fail(second)))).toEqual(woken);
    const third = await fixture.claimOne(org);
    expect(await wakeups(() => fixture.run(fail(third, false)))).toEqual(woken);
    await fixture.claimOne(org);
    await fixture.sql('UPDATE job_queue SET max_retries = 0 WHERE organization_id = $1', [org]);
    await fixture.pass('31 s');
    expect(await wakeups(() => fixture.maintenance.recoverExpiredLeases(100))).toEqual(woken);
    // An invalid limit bounds nothing.
    await fixture.sql(
      `UPDATE queue_config SET settings = '{"concurrency": "many"}' WHERE organization_id = $1 AND queue_name = 'emails'`,
      [org],
    );
    await fixture.run(enqueue(org, [newJob()]));
    const last = await fixture.claimOne(org);
    expect(await wakeups(() => fixture.run(complete(last)))).toEqual([]);

    const free = await queueWith({}, 1);
    const other = await fixture.claimOne(free);
    fixture.effects.length = 0;
    await fixture.run(workerCommands(free).complete(other));
    expect(fixture.effects.flatMap((effects) => effects.wakeups)).toEqual([]);
  });

  it('does not count leases that have expired', async () => {
    const org = await queueWith({ concurrency: 1 }, 2);
    expect((await fixture.run(claim(org))).jobs).toHaveLength(1);
    expect((await fixture.run(claim(org))).jobs).toHaveLength(0);
    await fixture.pass('31 s');
    expect((await fixture.run(claim(org))).jobs).toHaveLength(1);
  });

  it('MQ-16 applies changed settings at once; an invalid value means no limit', async () => {
    const org = await queueWith({ concurrency: 1 }, 9);
    const set = (settings: object) =>
      fixture.sql('UPDATE queue_config SET settings = $2 WHERE organization_id = $1', [org, JSON.stringify(settings)]);
    expect((await fixture.run(claim(org, { limit: 2 }))).jobs).toHaveLength(1);
    await set({ concurrency: 3 });
    expect((await fixture.run(claim(org, { limit: 5 }))).jobs).toHaveLength(2);
    await set({ concurrency: 'many' });
    expect((await fixture.run(claim(org, { limit: 4 }))).jobs).toHaveLength(4);
  });
});
