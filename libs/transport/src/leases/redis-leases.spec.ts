import { randomUUID } from 'node:crypto';
import type { LeaseRenewal, WrittenLease } from '@spooled/contracts';
import { eventually, ManualClock, monitorCommands, startRedis, type TestRedis } from '@spooled/testing';
import { TransportFixture } from '../commands/command-stream.fixture.js';
import type { CircuitBreakerOptions } from '../connection/circuit-breaker.js';
import { RedisLeases } from './redis-leases.js';

let redis: TestRedis;
let fixture: TransportFixture;
beforeAll(async () => (redis = await startRedis()));
afterAll(() => redis?.close());
beforeEach(() => (fixture = new TransportFixture()));
afterEach(() => fixture.closeAll());

/** Long timeouts by default: the machine may be busy with other specs. */
async function open(urls = redis.url, options: Partial<CircuitBreakerOptions> = {}) {
  const shards = fixture.shards(urls);
  await eventually(() => expect(shards.connected).toBe(true));
  return { shards, leases: new RedisLeases(shards, { log: fixture.log, timeoutMs: 10_000, ...options }) };
}

/** A lease of one minute, just written; the row's end uses another clock. */
const rowClock = Date.parse('2031-05-06T07:08:00.000Z');
const written = (more: Partial<WrittenLease> = {}): WrittenLease => ({
  organizationId: randomUUID(),
  jobId: randomUUID(),
  leaseId: randomUUID(),
  workerId: 'w1',
  queueName: 'emails',
  leaseExpiresAt: new Date(rowClock).toISOString(),
  endsAt: performance.now() + 60_000,
  uncertainMs: 0,
  ...more,
});
const renewal = (lease: WrittenLease, more: Partial<LeaseRenewal> = {}): LeaseRenewal => ({
  organizationId: lease.organizationId,
  jobId: lease.jobId,
  leaseId: lease.leaseId,
  workerId: lease.workerId,
  queues: null,
  leaseSeconds: 60,
  ...more,
});

describe('KF-07 leases in Redis', () => {
  it('are extended by the clock that wrote the row', async () => {
    const { leases } = await open();
    const lease = written({ endsAt: performance.now() + 40_000 });
    await leases.keep([lease]);
    const [end] = await leases.renew([renewal(lease)]);
    // 20 s of the lease have passed, and what the test has taken so far.
    expect(Math.abs(Date.parse(end!) - (rowClock + 20_000))).toBeLessThan(9_000);
    const [found] = await leases.alive([{ ...lease, workerId: null }]);
    expect(found).toEqual({ leaseId: lease.leaseId, leftMs: expect.any(Number) });
    expect(found!.leftMs).toBeGreaterThan(50_000);
  });

  it('KF-06 are checked and renewed by one script for a batch, of any number of organizations', async () => {
    const { shards, leases } = await open();
    const batch = Array.from({ length: 50 }, () => written());
    await leases.keep(batch);
    await leases.renew([renewal(batch[0]!)]);
    const called: string[] = [];
    const stop = await monitorCommands(await redis.primaryOf('any'), ({ words: [command], source }) => {
      // Every second a connection checks whether its server is there.
      if (source !== 'lua' && command !== 'ping') called.push(command!);
    });
    expect((await leases.renew(batch.map((lease) => renewal(lease)))).filter((end) => end === null)).toEqual([]);
    await shards.shardOf('any').commands.echo('end of this test');
    await eventually(() => expect(called).toContain('echo'));
    stop();
    expect(called).toEqual(['evalsha', 'echo']);
  });

  it('are not visible to another organization, worker or lease', async () => {
    const { leases } = await open();
    const lease = written();
    await leases.keep([lease]);
    const others = [{ organizationId: randomUUID() }, { workerId: 'w2' }, { leaseId: randomUUID() }];
    expect(await leases.renew(others.map((other) => renewal(lease, other)))).toEqual([null, null, null]);
    expect(await leases.alive(others.map((other) => ({ ...lease, ...other })))).toEqual([null, null, null]);
    expect(await leases.renew([renewal(lease, { leaseId: null })])).not.toEqual([null]);
  });

  it('that have ended are not restored by a late renewal, and are replaced by the next lease', async () => {
    const { leases } = await open();
    const lease = written();
    const next = { ...lease, leaseId: randomUUID(), workerId: 'w2' };
    await leases.end([lease]);
    await leases.keep([lease]);
    expect(await leases.alive([lease])).toEqual([null]);
    await leases.keep([next]);
    // A late end of the first lease does not affect the second.
    await leases.end([lease]);
    expect(await leases.alive([lease, next])).toEqual([null, expect.objectContaining({ leaseId: next.leaseId })]);
  });

  it('KF-12 are stored on the shard of their organization, and each item of a batch gets its own result', async () => {
    const second = await startRedis();
    try {
      const { shards, leases } = await open(`${redis.url},${second.url}`);
      const many = Array.from({ length: 40 }, () => written());
      const kept = many.filter((_, i) => i % 2 === 0);
      await leases.keep(kept);
      const answers = await leases.renew(many.map((lease) => renewal(lease)));
      expect(answers.map((answer) => answer !== null)).toEqual(many.map((_, i) => i % 2 === 0));
      const onEach = await Promise.all(shards.all.map((shard) => shard.commands.keys('org:*:lease:*')));
      for (const { organizationId, jobId } of kept) {
        const held = onEach.map((names) => names.includes(`org:${organizationId}:lease:${jobId}`));
        expect(held).toEqual(shards.all.map((shard) => shard === shards.shardOf(organizationId)));
      }
      expect(onEach.every((names) => names.length > 0)).toBe(true);
    } finally {
      await second.close();
    }
  });
});

describe('KF-09 a failing Redis', () => {
  it('opens the circuit after one timeout, and is called again after a pause', async () => {
    const clock = new ManualClock();
    const shards = await fixture.openShards(redis.url, clock);
    const leases = new RedisLeases(shards, { log: fixture.log });
    const lease = written({ endsAt: clock.monotonic() + 60_000 });
    await leases.keep([lease]);
    const server = await redis.primaryOf('any');
    server.pause();
    try {
      const timedOut = leases.renew([renewal(lease)]);
      await clock.advance(100);
      expect(await timedOut).toEqual([null]);
    } finally {
      server.resume();
    }
    await clock.advance(999);
    expect(await leases.renew([renewal(lease)])).toEqual([null]);
    expect(fixture.log.lines.map(({ message }) => message)).toEqual(['Redis failed or timed out: leases']);
    await clock.advance(1);
    expect(await leases.renew([renewal(lease)])).not.toEqual([null]);
  });

  it('that is down yields no results and no errors', async () => {
    const leases = new RedisLeases(fixture.shards('redis://127.0.0.1:9'), { log: fixture.log });
    const lease = written();
    await leases.keep([lease]);
    await leases.end([lease]);
    expect(await leases.renew([renewal(lease)])).toEqual([null]);
    expect(await leases.alive([lease])).toEqual([null]);
  });
});
