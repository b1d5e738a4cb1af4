import { randomUUID } from 'node:crypto';
import type { ClaimedJob } from '@spooled/contracts';
import { SpooledError } from '@spooled/domain';
import { command, eventually } from '@spooled/testing';
import { LeaseBench, workerCommands } from './lease-bench.fixture.js';

/** Matches an error with this status and code. */
const refusal = (status: number, code: string): unknown => expect.objectContaining({ status, code });

describe('leases in Redis', () => {
  let bench: LeaseBench;
  let org: string;
  let worker: ReturnType<typeof workerCommands>;

  beforeAll(async () => void (bench = await LeaseBench.open()));
  beforeEach(() => {
    org = randomUUID();
    worker = workerCommands(org);
  });
  afterAll(() => bench?.close());

  const secondsUntil = (timestamp: string) => (Date.parse(timestamp) - Date.now()) / 1000;

  describe('a renewal', () => {
    it('KF-06 writes the row the first time, and again only when less than half of its lease is left', async () => {
      const job = await bench.claimNew(org, 10);
      expect(await bench.msInRedis(org, job)).toBeLessThan(0);
      await bench.run(worker.renew(job));
      const written = await bench.row(job);
      expect(written!.left).toBeGreaterThan(50);

      await bench.setRowRemainingMs(org, job, 40_000);
      const before = { ...bench.answeredBy };
      const { leaseExpiresAt } = await bench.run(worker.renew(job));
      expect(bench.answeredBy).toEqual({ lease_store: before.lease_store + 1, row: before.row });
      expect((await bench.row(job))!.version).toBe(written!.version);
      // The row's expiry plus the 20 s that have passed according to Redis.
      expect(secondsUntil(leaseExpiresAt)).toBeGreaterThan(70);
      expect(await bench.msInRedis(org, job)).toBeGreaterThan(50_000);
    });

    it('writes the row again when less than half of its lease is left', async () => {
      const job = await bench.claimAndRenew(org);
      const { version } = (await bench.row(job))!;
      await bench.setRowRemainingMs(org, job, 29_000);
      const { leaseExpiresAt } = await bench.run(worker.renew(job));
      const row = await bench.row(job);
      expect(row!.version).not.toBe(version);
      expect(secondsUntil(leaseExpiresAt)).toBeGreaterThan(50);
      expect(secondsUntil(leaseExpiresAt)).toBeLessThan(62);
    });

    it('BX-30 is answered by the row once the job was asked to end, which keeps the time that Redis had given', async () => {
      const job = await bench.claimAndRenew(org);
      await bench.setRowRemainingMs(org, job, 40_000);
      await bench.run(worker.renew(job));
      const body = { jobId: job.id, queues: null, reason: null, force: false, graceSeconds: null };
      await bench.run(command('job.requestCancellation', org, body));
      expect((await bench.row(job))!.left).toBeGreaterThan(50);
      const before = { ...bench.answeredBy };
      for (let n = 0; n < 2; n++) expect(await bench.run(worker.renew(job))).toMatchObject({ cancelRequested: true });
      expect(bench.answeredBy).toEqual({ lease_store: before.lease_store, row: before.row + 2 });
    });

    it('writes the row when the lease becomes shorter or much longer', async () => {
      const job = await bench.claimAndRenew(org);
      await bench.run(worker.renew(job, { seconds: 20 }));
      expect((await bench.row(job))!.left).toBeLessThan(20.5);
      expect(await bench.msInRedis(org, job)).toBeLessThan(20_500);
      await bench.run(worker.renew(job, { seconds: 3600 }));
      expect((await bench.row(job))!.left).toBeGreaterThan(3590);
    });

    it('SP-25 never extends a lease beyond the second after the timeout of the attempt', async () => {
      const job = await bench.claimNew(org, 60, 130);
      const end = Date.parse(job.startedAt) + 131_000;
      await bench.run(worker.renew(job));
      expect(await bench.msInRedis(org, job)).toBeGreaterThan(0);
      // Longer leases, and those near the end of the attempt, are in the row only.
      for (const seconds of [60, 120, 3600]) {
        const { leaseExpiresAt } = await bench.run(worker.renew(job, { seconds }));
        expect(Date.parse(leaseExpiresAt)).toBeLessThanOrEqual(end);
      }
      expect(Date.now() + (await bench.msInRedis(org, job))).toBeLessThan(end);
      // Near the end of the attempt nothing is put into Redis.
      const late = await bench.claimNew(org, 60, 100);
      await bench.run(worker.renew(late));
      expect(await bench.msInRedis(org, late)).toBeLessThan(0);
    });

    it('SP-25 an attempt that has timed out is recovered, whatever Redis holds', async () => {
      const job = await bench.claimAndRenew(org);
      await bench.sql(
        `UPDATE job_queue SET started_at = now() - interval '2 days', lease_expires_at = now() WHERE job_id = $1`,
        [job.id],
      );
      await bench.maintenance.recoverExpiredLeases(100);
      expect(await bench.row(job)).toMatchObject({ state: 'retrying', retries: 1 });
      await expect(bench.run(worker.renew(job))).rejects.toEqual(refusal(409, 'LEASE_EXPIRED'));
    });

    it('KF-07 is rejected for a wrong lease id, another worker, a key for other queues and another organization', async () => {
      const job = await bench.claimAndRenew(org);
      await bench.shards.shardOf(org).commands.pexpire(`org:${org}:lease:${job.id}`, 30_000);
      const wrong = [
        [worker.renew({ id: job.id, leaseId: randomUUID() }), refusal(409, 'LEASE_EXPIRED')],
        [worker.renew(job, { workerId: 'w2' }), refusal(409, 'LEASE_EXPIRED')],
        [worker.renew(job, { queues: ['other'] }), refusal(404, 'NOT_FOUND')],
        [worker.renew(job, { org: randomUUID() }), refusal(404, 'NOT_FOUND')],
      ] as const;
      for (const [renewal, answer] of wrong) await expect(bench.run(renewal)).rejects.toEqual(answer);
      expect(await bench.msInRedis(org, job)).toBeLessThanOrEqual(30_000);
      await bench.run(worker.renew({ id: job.id }, { queues: ['other', 'emails'] }));
      expect(await bench.msInRedis(org, job)).toBeGreaterThan(30_000);
    });

    it('has its own result in a batch, from Redis or from its row', async () => {
      const [inRedis, notInRedis, ended] = [
        await bench.claimAndRenew(org),
        await bench.claimNew(org),
        await bench.claimNew(org),
      ];
      await bench.run(worker.complete(ended));
      const before = { ...bench.answeredBy };
      const outcomes = await bench.engine.execute([inRedis, ended, notInRedis].map((job) => worker.renew(job)));
      expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true]);
      expect(bench.answeredBy).toEqual({ lease_store: before.lease_store + 1, row: before.row + 2 });
    });

    it('MQ-03 always writes the row in a queue with a concurrency limit, which counts rows', async () => {
      await bench.sql(`INSERT INTO organizations (id, name, slug) VALUES ($1, 'Test', $2)`, [org, `test-${org}`]);
      await bench.sql(
        `INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, 'emails', '{"concurrency": 5}')`,
        [org],
      );
      const job = await bench.claimAndRenew(org);
      const { version } = (await bench.row(job))!;
      await bench.run(worker.renew(job));
      expect((await bench.row(job))!.version).not.toBe(version);
      expect(await bench.msInRedis(org, job)).toBeLessThan(0);
    });
  });

  describe('a lease that is valid in Redis and expired in its row', () => {
    type Move = (job: ClaimedJob) => ReturnType<typeof worker.complete>;
    const refused = { status: 409, code: 'LEASE_EXPIRED' };
    const ends = [
      ['completion', (job) => worker.complete(job), refused],
      ['completion among many', (job) => worker.completeMany(job), { outcomes: [{ ok: false, error: refused }] }],
      ['failure', (job) => worker.fail(job), refused],
      ['release', (job) => worker.release(job), { releasedJobs: 0 }],
      ['wait', (job) => worker.wait(job), refused],
    ] as [string, Move, object][];
    const resultOf = (one: ReturnType<Move>) => bench.run(one).catch((error: unknown) => error);

    it.each(ends)('is valid for a %s, after which it cannot be renewed', async (_, end, rejection) => {
      const job = await bench.claimAndRenew(org);
      await bench.letRowExpire(job);
      expect(await resultOf(end(job))).not.toMatchObject(rejection);
      expect((await bench.row(job))?.state).not.toBe('leased');
      expect(await resultOf(worker.renew(job) as never)).toBeInstanceOf(SpooledError);
    });

    it.each(ends)('is not valid for a %s when Redis has lost it', async (_, end, rejection) => {
      const job = await bench.claimAndRenew(org);
      await bench.letRowExpire(job);
      await bench.deleteFromRedis(org, job);
      expect(await resultOf(end(job))).toMatchObject(rejection);
      expect((await bench.row(job))?.state).toBe('leased');
    });

    it('is valid for the result of a step and for a line of its log, and no more when Redis has lost it', async () => {
      const job = await bench.claimAndRenew(org);
      await bench.letRowExpire(job);
      const reports = [worker.recordStep(job), worker.appendLogs(job)];
      expect(await bench.engine.execute(reports)).toMatchObject([{ ok: true }, { ok: true, value: { kept: 1 } }]);
      await bench.deleteFromRedis(org, job);
      const outcomes = await bench.engine.execute(reports);
      expect(outcomes).toMatchObject([{ error: { code: 'LEASE_EXPIRED' } }, { error: { code: 'LEASE_EXPIRED' } }]);
    });

    it('is valid for a renewal, which writes the row', async () => {
      const job = await bench.claimAndRenew(org);
      await bench.letRowExpire(job);
      await bench.setRowRemainingMs(org, job, -1_000);
      await bench.run(worker.renew(job));
      expect((await bench.row(job))!.left).toBeGreaterThan(50);
    });

    it('does not validate another lease of the same worker', async () => {
      const job = await bench.claimAndRenew(org);
      await bench.sql(
        `UPDATE job_queue SET lease_id = gen_random_uuid(), lease_expires_at = now() - interval '1 second' WHERE job_id = $1`,
        [job.id],
      );
      await expect(bench.run(worker.complete({ id: job.id }))).rejects.toEqual(refusal(409, 'LEASE_EXPIRED'));
    });

    it('KF-14 KF-18 is not recovered until it has expired in Redis too', async () => {
      const [alive, dead] = [await bench.claimAndRenew(org), await bench.claimAndRenew(org)];
      await bench.letRowExpire(alive);
      await bench.letRowExpire(dead);
      await bench.deleteFromRedis(org, dead);
      await bench.maintenance.recoverExpiredLeases(100);
      expect(await bench.row(alive)).toMatchObject({ state: 'leased', retries: 0 });
      expect(await bench.row(dead)).toMatchObject({ state: 'retrying', retries: 1 });
      // Recovery has extended the row, so it does not check it again before it expires.
      expect((await bench.row(alive))!.left).toBeGreaterThan(50);
      expect(await bench.maintenance.recoverExpiredLeases(100)).toBe(0);
      await bench.run(worker.complete(alive));
    });
  });

  it('SP-28 a failed attempt whose lease is in Redis is reported once, also by two commands of one batch', async () => {
    const [job, other] = [await bench.claimAndRenew(org), await bench.claimAndRenew(org)];
    await bench.letRowExpire(other);
    const reports = [job, other, job, other].map((one) => worker.fail(one));
    const outcomes = await bench.engine.execute(reports);
    const lost = { ok: false, error: { code: 'LEASE_EXPIRED' } };
    expect(outcomes).toMatchObject([{ ok: true }, { ok: true }, lost, lost]);
    const past = `SELECT job_id AS id FROM job_history WHERE organization_id = $1 AND event = 'failed' ORDER BY job_id`;
    expect(await bench.sql(past, [org])).toEqual([job, other].map(({ id }) => ({ id })));
    const counts = `SELECT sum(retried)::int AS retried, (SELECT sum(n)::int FROM worker_counts w, unnest(w.jobs) AS n
      WHERE w.organization_id = $1 AND w.failed) AS failed FROM job_stats WHERE organization_id = $1`;
    expect(await bench.sql(counts, [org])).toEqual([{ retried: 2, failed: 2 }]);
  });

  describe('a renewal of a job that has ended', () => {
    const expectRejected = async (job: { id: string; leaseId: string }) => {
      await expect(bench.run(worker.renew(job))).rejects.toBeInstanceOf(SpooledError);
    };

    it('SP-41 is accepted after its worker has become stale: a lease that was renewed is left to end by itself', async () => {
      const [renewed, other] = [await bench.claimAndRenew(org), await bench.claimNew(org)];
      await bench.sql('UPDATE job_queue SET worker_id = $2 WHERE organization_id = $1', [org, `w-${org}`]);
      expect(await bench.maintenance.recoverJobsOfWorkers([{ organizationId: org, id: `w-${org}` }])).toBe(1);
      expect([(await bench.row(renewed))!.state, (await bench.row(other))!.state]).toEqual(['leased', 'retrying']);
      await bench.sql('UPDATE job_queue SET worker_id = $2 WHERE job_id = $1', [renewed.id, 'w1']);
      await bench.run(worker.renew(renewed));
    });

    it('is rejected after its queue was deleted', async () => {
      const job = await bench.claimAndRenew(org);
      await bench.run(command('queue.delete', org, { queueName: 'emails', deleteJobs: true, issuedAt: null }));
      await expectRejected(job);
    });

    it('does not use Redis when the job was never renewed', async () => {
      for (const end of [worker.complete, worker.fail]) {
        const job = await bench.claimNew(org);
        await bench.run(end(job) as ReturnType<typeof worker.fail>);
        expect(await bench.shards.shardOf(org).commands.exists(`org:${org}:lease:${job.id}`)).toBe(0);
      }
    });
  });

  describe('KF-09 while Redis is unavailable', () => {
    it('renewals and lease checks use the rows; the next renewal restores the lease in Redis', async () => {
      const [job, stale] = [await bench.claimAndRenew(org), await bench.claimAndRenew(org)];
      await bench.redis.kill();
      const { version } = (await bench.row(job))!;
      await bench.run(worker.renew(job));
      expect((await bench.row(job))!.version).not.toBe(version);
      await bench.letRowExpire(stale);
      await expect(bench.run(worker.complete(stale))).rejects.toEqual(refusal(409, 'LEASE_EXPIRED'));
      await bench.maintenance.recoverExpiredLeases(100);
      expect(await bench.row(stale)).toMatchObject({ retries: 1 });

      await bench.redis.start();
      await eventually(async () => {
        await bench.run(worker.renew(job));
        expect(await bench.msInRedis(org, job)).toBeGreaterThan(50_000);
      });
      await bench.run(worker.complete(job));
    });
  });
});
