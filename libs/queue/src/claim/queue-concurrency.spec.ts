import { claim, command, enqueue, newJob } from '@spooled/testing';
import { EngineFixture } from '../testing/job-lifecycle.fixture.js';

let bench: EngineFixture;
beforeAll(async () => {
  bench = await EngineFixture.open();
});
afterAll(() => bench?.close());

async function queueWith(settings: object, jobs: number): Promise<string> {
  const org = await bench.organization();
  await bench.sql(`INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, 'emails', $2)`, [
    org,
    JSON.stringify(settings),
  ]);
  await bench.run(
    enqueue(
      org,
      Array.from({ length: jobs }, () => newJob()),
    ),
  );
  return org;
}

describe('MQ-03 the concurrency of a queue', () => {
  it('holds for all workers together, however many claim at once, and frees a place with each end', async () => {
    const org = await queueWith({ concurrency: 3 }, 20);
    const claims = Array.from({ length: 8 }, (_, i) => bench.run(claim(org, { workerId: `w${i}`, limit: 2 })));
    const granted = (await Promise.all(claims)).flatMap(({ jobs }, i) =>
      jobs.map(({ id }) => ({ id, worker: `w${i}` })),
    );
    expect(granted).toHaveLength(3);
    const [first] = granted;
    const proof = { jobId: first!.id, workerId: first!.worker, leaseId: null, queues: null };
    await bench.run(command('job.complete', org, { ...proof, result: null }));
    expect((await bench.run(claim(org, { limit: 5 }))).jobs).toHaveLength(1);
  });

  it('does not count leases that have run out', async () => {
    const org = await queueWith({ concurrency: 1 }, 2);
    expect((await bench.run(claim(org))).jobs).toHaveLength(1);
    expect((await bench.run(claim(org))).jobs).toHaveLength(0);
    await bench.sql(`UPDATE job_queue SET lease_expires_at = now() - interval '1 s' WHERE organization_id = $1`, [org]);
    expect((await bench.run(claim(org))).jobs).toHaveLength(1);
  });

  it('follows the settings at once; what makes no sense is no limit', async () => {
    const org = await queueWith({ concurrency: 1 }, 9);
    const set = (settings: object) =>
      bench.sql('UPDATE queue_config SET settings = $2 WHERE organization_id = $1', [org, JSON.stringify(settings)]);
    expect((await bench.run(claim(org, { limit: 2 }))).jobs).toHaveLength(1);
    await set({ concurrency: 3 });
    expect((await bench.run(claim(org, { limit: 5 }))).jobs).toHaveLength(2);
    await set({ concurrency: 'many' });
    expect((await bench.run(claim(org, { limit: 4 }))).jobs).toHaveLength(4);
  });
});
