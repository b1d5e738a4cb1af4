import type { ClaimedJob } from '@spooled/contracts';
import { claim, command, enqueue, newJob } from '@spooled/testing';
import { extendLeases } from '../step/extend-leases.queries.js';
import { type HeldJob, workerCommands, refusal, useEngine } from '../testing/job-lifecycle.fixture.js';

describe('leases', () => {
  const fixture = useEngine();
  let org: string;
  let proof: ReturnType<typeof workerCommands>['proof'];
  let complete: ReturnType<typeof workerCommands>['complete'];
  let fail: ReturnType<typeof workerCommands>['fail'];

  /** Everything that a worker may do with its job. */
  const moves = (job: HeldJob, more: object = {}) => [
    complete(job, more),
    command('job.fail', org, { ...proof(job, more), error: 'late', retry: true }),
    command('job.renew', org, { ...proof(job, more), leaseSeconds: 30 }),
  ];
  beforeEach(async () => {
    org = await fixture.organization();
    ({ proof, complete, fail } = workerCommands(org));
  });

  it('that were renewed without their rows get the time that is left, up to the end of the attempt', async () => {
    await fixture.run(
      enqueue(
        org,
        [1, 2, 3].map(() => newJob({ timeoutSeconds: 600 })),
      ),
    );
    const { jobs } = await fixture.run(claim(org, { limit: 3 }));
    const [renewed, longer, other] = jobs.map(({ id }) => id) as [string, string, string];
    const read = async (from: string) => {
      const sql = `SELECT job_id, round(1000 * extract(epoch FROM lease_expires_at - ${from}))::int AS ms FROM job_queue WHERE organization_id = $1`;
      const rows = await fixture.sql<{ job_id: string; ms: number }>(sql, [org]);
      return new Map(rows.map(({ job_id, ms }) => [job_id, ms]));
    };
    const before = await read('started_at');
    const clock = 'SELECT current_ts(clock_timestamp())::text AS now';
    const [begun] = await fixture.sql<{ now: string }>(clock);
    await fixture.db.withTenant(org, (tx) =>
      tx.run(extendLeases, { ids: [renewed, longer], leftMs: [60_000, 900_000] }),
    );
    const [ended] = await fixture.sql<{ now: string }>(clock);
    const after = await read('started_at');
    expect([after.get(longer), after.get(other)]).toEqual([601_000, before.get(other)]);
    expect((await read(`'${begun!.now}'`)).get(renewed)).toBeGreaterThanOrEqual(60_000);
    expect((await read(`'${ended!.now}'`)).get(renewed)).toBeLessThanOrEqual(60_000);
  });

  describe('fencing', () => {
    let claimed: ClaimedJob;
    beforeEach(async () => {
      await fixture.run(enqueue(org, [newJob({ timeoutSeconds: 7200 })]));
      claimed = await fixture.claimOne(org);
    });

    it('one of many concurrent completions succeeds, the others get 409 CONFLICT', async () => {
      const outcomes = await Promise.all(
        [1, 2, 3].flatMap(() => [fixture.engine.execute([complete(claimed), complete(claimed)])]),
      );
      const flat = outcomes.flat();
      expect(flat.filter(({ ok }) => ok)).toHaveLength(1);
      for (const outcome of flat)
        if (!outcome.ok) expect(outcome.error).toMatchObject({ status: 409, code: 'CONFLICT' });
    });

    it('a wrong lease id and an expired lease are 409 LEASE_EXPIRED, another worker by its name gets 404', async () => {
      await expect(fixture.run(complete(claimed, { leaseId: claimed.id }))).rejects.toEqual(
        refusal(409, 'LEASE_EXPIRED'),
      );
      const nameOnly = { id: claimed.id };
      await expect(fixture.run(complete(nameOnly, { workerId: 'w2' }))).rejects.toEqual(refusal(404, 'NOT_FOUND'));
      await expect(fixture.run(complete(claimed, { queues: ['other'] }))).rejects.toEqual(refusal(404, 'NOT_FOUND'));
      await fixture.pass('31 s');
      for (const late of [...moves(claimed), ...moves(nameOnly)]) {
        await expect(fixture.run(late)).rejects.toEqual(refusal(409, 'LEASE_EXPIRED'));
      }
    });

    it('a worker that sends no lease id is identified by its name', async () => {
      expect(await fixture.run(complete({ id: claimed.id }))).toEqual({ durationMs: expect.any(Number) });
    });

    it('a renewal extends the lease from now', async () => {
      const { leaseExpiresAt } = await fixture.run(
        command('job.renew', org, { ...proof(claimed), leaseSeconds: 3600 }),
      );
      expect(Date.parse(leaseExpiresAt) - Date.parse(claimed.leaseExpiresAt)).toBeGreaterThan(3500_000);
    });

    it('SP-25 MQ-28 an expired lease is recovered once and costs one attempt', async () => {
      await fixture.pass('31 s');
      await Promise.all([fixture.maintenance.recoverExpiredLeases(100), fixture.maintenance.recoverExpiredLeases(100)]);
      const free = { lease_id: null, assigned_worker_id: null, started_at: null };
      expect(await fixture.job(claimed.id)).toMatchObject({ status: 'pending', retry_count: 1, ...free });
      expect((await fixture.job(claimed.id)).last_error).toContain('Lease expired');
      const again = await fixture.claimOne(org, { workerId: 'w2' });
      expect(again.id).toBe(claimed.id);
      expect(again.leaseId).not.toBe(claimed.leaseId);
      await expect(fixture.run(complete(claimed))).rejects.toEqual(refusal(409, 'LEASE_EXPIRED'));
    });
  });

  describe('the mark of a renewal', () => {
    /** How a job loses its renewed lease and may be claimed again. */
    const endings: Record<string, (job: ClaimedJob) => Promise<unknown>> = {
      released: ({ id: jobId, leaseId }) =>
        fixture.run(command('job.release', org, { leases: [{ jobId, leaseId }], delivered: true })),
      failed: async (job) => {
        await fixture.run(fail(job));
        await fixture.pass('1 minute');
      },
      expired: async () => {
        await fixture.pass('31 s');
        await fixture.maintenance.recoverExpiredLeases(100);
      },
    };
    const marked = async (id: string) =>
      (await fixture.sql<{ renewed: boolean }>('SELECT renewed FROM job_queue WHERE job_id = $1', [id]))[0]!.renewed;

    it.each(Object.keys(endings))('is not that of the next lease, once the first is %s', async (ending) => {
      await fixture.run(enqueue(org, [newJob()]));
      const first = await fixture.claimOne(org);
      expect(await marked(first.id)).toBe(false);
      await fixture.run(command('job.renew', org, { ...proof(first), leaseSeconds: 30 }));
      expect(await marked(first.id)).toBe(true);
      await endings[ending]!(first);
      expect((await fixture.claimOne(org)).leaseId).not.toBe(first.leaseId);
      expect(await marked(first.id)).toBe(false);
    });
  });

  describe('a lease that the job no longer has', () => {
    let claimed: ClaimedJob;
    beforeEach(async () => {
      await fixture.run(enqueue(org, [newJob({ maxRetries: 1 })]));
      claimed = await fixture.claimOne(org);
    });
    const recover = async () => {
      await fixture.pass('31 s');
      await fixture.maintenance.recoverExpiredLeases(100);
    };
    const claimAgain = async (workerId: string) => {
      await recover();
      return fixture.claimOne(org, { workerId });
    };
    /** How each situation comes about, and how it is answered without a lease id. */
    const situations: [string, () => Promise<unknown>, number][] = [
      ['recovered', recover, 404],
      ['failed, to be retried', () => fixture.run(fail(claimed)), 404],
      ['failed for good', () => fixture.run(fail(claimed, false)), 404],
      ['dead-lettered by recovery', () => claimAgain('w2').then(recover), 404],
      ['claimed by another worker', () => claimAgain('w2'), 404],
      [
        'completed by another worker',
        async () => fixture.run(complete(await claimAgain('w2'), { workerId: 'w2' })),
        404,
      ],
      ['completed under a later lease', async () => fixture.run(complete(await claimAgain('w1'))), 409],
      [
        'cancelled',
        async () => {
          await recover();
          await fixture.run(command('job.cancel', org, { jobId: claimed.id, queues: null }));
        },
        404,
      ],
    ];

    it.each(situations)('BX-12 is 409 LEASE_EXPIRED for every call when the job was %s', async (_, arrange, byName) => {
      await arrange();
      const before = await fixture.job(claimed.id);
      for (const late of moves(claimed)) await expect(fixture.run(late)).rejects.toEqual(refusal(409, 'LEASE_EXPIRED'));
      for (const late of moves({ id: claimed.id })) {
        await expect(fixture.run(late)).rejects.toMatchObject({ status: byName });
      }
      for (const late of moves(claimed, { queues: ['other'] })) {
        await expect(fixture.run(late)).rejects.toEqual(refusal(404, 'NOT_FOUND'));
      }
      expect(await fixture.job(claimed.id)).toEqual(before);
    });

    it('is 409 CONFLICT, already completed, when this very lease completed the job', async () => {
      await fixture.run(complete(claimed));
      const done = { status: 409, code: 'CONFLICT', message: 'Job is already completed' };
      for (const late of moves(claimed)) await expect(fixture.run(late)).rejects.toMatchObject(done);
      await expect(fixture.run(complete(claimed, { workerId: 'w2' }))).rejects.toEqual(refusal(409, 'LEASE_EXPIRED'));
    });
  });

  describe('a command that runs twice', () => {
    it('creates and counts its jobs once, and returns the same result twice', async () => {
      const twice = enqueue(org, [newJob(), newJob({ idempotencyKey: 'a' })]);
      const first = await fixture.run(twice);
      expect(await fixture.run({ ...twice, redelivered: true })).toEqual(first);
      expect(
        await fixture.sql('SELECT sum(jobs_created)::int AS n FROM usage_counters WHERE organization_id = $1', [org]),
      ).toEqual([{ n: 2 }]);
    });

    it('grants the same jobs to a redelivered claim', async () => {
      await fixture.run(enqueue(org, [newJob(), newJob(), newJob()]));
      const twice = claim(org, { limit: 2 });
      const first = await fixture.run(twice);
      const second = await fixture.run({ ...twice, redelivered: true });
      expect([first.adopted, second.adopted]).toEqual([undefined, true]);
      expect(second.jobs.map(({ id, leaseId }) => [id, leaseId])).toEqual(
        first.jobs.map(({ id, leaseId }) => [id, leaseId]),
      );
    });

    it('returns success for a completion that was already accepted', async () => {
      await fixture.run(enqueue(org, [newJob()]));
      const twice = complete(await fixture.claimOne(org));
      await fixture.run(twice);
      expect(await fixture.run({ ...twice, redelivered: true })).toEqual({ durationMs: null });
      await expect(fixture.run(twice)).rejects.toEqual(refusal(409, 'CONFLICT'));
    });
  });
});
