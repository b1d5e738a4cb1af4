import type { ClaimedJob } from '@spooled/contracts';
import { claim, command, enqueue, newJob } from '@spooled/testing';
import { EngineFixture, moves, refusal } from '../testing/job-lifecycle.fixture.js';

describe('who holds a job', () => {
  let bench: EngineFixture;
  let org: string;
  let proof: ReturnType<typeof moves>['proof'];
  let complete: ReturnType<typeof moves>['complete'];
  let fail: ReturnType<typeof moves>['fail'];

  beforeAll(async () => {
    bench = await EngineFixture.open();
  });
  beforeEach(async () => {
    org = await bench.organization();
    ({ proof, complete, fail } = moves(org));
  });
  afterAll(() => bench.close());

  describe('leases fence', () => {
    let claimed: ClaimedJob;
    beforeEach(async () => {
      await bench.run(enqueue(org, [newJob()]));
      claimed = await bench.claimOne(org);
    });

    it('one of many concurrent completions succeeds, the others hear 409 CONFLICT', async () => {
      const outcomes = await Promise.all(
        [1, 2, 3].flatMap(() => [bench.engine.execute([complete(claimed), complete(claimed)])]),
      );
      const flat = outcomes.flat();
      expect(flat.filter(({ ok }) => ok)).toHaveLength(1);
      for (const outcome of flat)
        if (!outcome.ok) expect(outcome.error).toMatchObject({ status: 409, code: 'CONFLICT' });
    });

    it('a wrong lease id and an expired lease are 409 LEASE_EXPIRED, a stranger 404', async () => {
      await expect(bench.run(complete(claimed, { leaseId: claimed.id }))).rejects.toEqual(
        refusal(409, 'LEASE_EXPIRED'),
      );
      await expect(bench.run(complete(claimed, { workerId: 'w2' }))).rejects.toEqual(refusal(404, 'NOT_FOUND'));
      await expect(bench.run(complete(claimed, { queues: ['other'] }))).rejects.toEqual(refusal(404, 'NOT_FOUND'));
      await bench.sql(`UPDATE job_queue SET lease_expires_at = now() - interval '1 second' WHERE job_id = $1`, [
        claimed.id,
      ]);
      for (const late of [
        complete(claimed),
        fail(claimed),
        command('job.renew', org, { ...proof(claimed), leaseSeconds: 30 }),
      ]) {
        await expect(bench.run(late)).rejects.toEqual(refusal(409, 'LEASE_EXPIRED'));
      }
    });

    it('a worker that sends no lease id is known by its name', async () => {
      expect(await bench.run(complete({ id: claimed.id }))).toEqual({ durationMs: expect.any(Number) });
    });

    it('a renewal counts from now', async () => {
      const { leaseExpiresAt } = await bench.run(command('job.renew', org, { ...proof(claimed), leaseSeconds: 3600 }));
      expect(Date.parse(leaseExpiresAt) - Date.parse(claimed.leaseExpiresAt)).toBeGreaterThan(3500_000);
    });

    it('SP-25 an expired lease is recovered once and costs one attempt', async () => {
      await bench.sql(`UPDATE job_queue SET lease_expires_at = now() - interval '1 second' WHERE job_id = $1`, [
        claimed.id,
      ]);
      await Promise.all([bench.maintenance.recoverExpiredLeases(100), bench.maintenance.recoverExpiredLeases(100)]);
      expect(await bench.job(claimed.id)).toMatchObject({ status: 'pending', retry_count: 1, lease_id: null });
      expect((await bench.job(claimed.id)).last_error).toContain('Lease expired');
      const again = await bench.claimOne(org, { workerId: 'w2' });
      expect(again.leaseId).not.toBe(claimed.leaseId);
      await expect(bench.run(complete(claimed))).rejects.toEqual(refusal(404, 'NOT_FOUND'));
    });
  });

  describe('a command that runs twice', () => {
    it('creates its jobs once, says so twice, and counts them once', async () => {
      const twice = enqueue(org, [newJob(), newJob({ idempotencyKey: 'a' })]);
      const first = await bench.run(twice);
      expect(await bench.run({ ...twice, redelivered: true })).toEqual(first);
      expect(
        await bench.sql('SELECT sum(jobs_created)::int AS n FROM usage_counters WHERE organization_id = $1', [org]),
      ).toEqual([{ n: 2 }]);
    });

    it('hands the same jobs to the same claim', async () => {
      await bench.run(enqueue(org, [newJob(), newJob(), newJob()]));
      const twice = claim(org, { limit: 2 });
      const first = await bench.run(twice);
      const second = await bench.run({ ...twice, redelivered: true });
      expect(second.jobs.map(({ id, leaseId }) => [id, leaseId])).toEqual(
        first.jobs.map(({ id, leaseId }) => [id, leaseId]),
      );
    });

    it('answers a completion that it had accepted with success', async () => {
      await bench.run(enqueue(org, [newJob()]));
      const twice = complete(await bench.claimOne(org));
      await bench.run(twice);
      expect(await bench.run({ ...twice, redelivered: true })).toEqual({ durationMs: null });
      await expect(bench.run(twice)).rejects.toEqual(refusal(409, 'CONFLICT'));
    });
  });
});
