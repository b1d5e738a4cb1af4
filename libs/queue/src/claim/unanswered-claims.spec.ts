import { eventually, claim, enqueue, newJob } from '@spooled/testing';
import { EngineFixture } from '../testing/job-lifecycle.fixture.js';
import { UnansweredClaims } from './unanswered-claims.js';

describe('a claim that was answered with 503 although it was granted jobs', () => {
  let bench: EngineFixture;
  beforeAll(async () => (bench = await EngineFixture.open()));
  afterAll(() => bench?.close());

  it('BX-02 gives them back at no cost as soon as PostgreSQL answers, and is granted nothing later', async () => {
    const org = await bench.organization();
    const job = newJob({ maxRetries: 0 });
    await bench.run(enqueue(org, [job]));
    const lost = { ...claim(org), delivery: 1 };
    await bench.run(lost);
    let failures = 1;
    const unanswered = new UnansweredClaims(async (command) => {
      if (failures-- > 0) return false;
      return (await bench.engine.execute([command]))[0]!.ok;
    });
    unanswered.add([lost, enqueue(org, [])]);
    await eventually(async () =>
      expect(await bench.job(job.id)).toMatchObject({ status: 'pending', retry_count: 0, lease_id: null }),
    );
    await expect(bench.run(lost)).rejects.toMatchObject({ status: 409 });
    expect((await bench.run(claim(org))).jobs).toMatchObject([{ id: job.id, retryCount: 0 }]);
  });
});
