import type {
  LeaseRef,
  LeaseRenewal,
  LeaseStore,
  RenewedLease,
  PresentedLease,
  Timestamp,
  WrittenLease,
} from '@spooled/contracts';
import { keys } from '../connection/keys.js';
import { CircuitBreaker, type CircuitBreakerOptions } from '../connection/circuit-breaker.js';
import type { RedisShard, RedisShards } from '../connection/redis-shards.js';

/** Longer than a renewal can take to arrive. */
const endedLeaseTtlMs = 60_000;

interface JobRef {
  organizationId: string;
  jobId: string;
}

/** Renewed leases in Redis, on the shard of their organization; one script per batch and shard (KF-06, KF-07, KF-12). */
export class RedisLeases implements LeaseStore {
  private readonly breaker: CircuitBreaker;

  constructor(
    private readonly shards: RedisShards,
    options: Omit<CircuitBreakerOptions, 'operation'>,
  ) {
    this.breaker = new CircuitBreaker({ ...options, operation: 'leases' });
  }

  renew(renewals: LeaseRenewal[]): Promise<(Timestamp | null)[]> {
    return this.byShard(renewals, async (shard, some) => {
      const presented = some.flatMap(({ workerId, leaseId, leaseSeconds, queues }) => [
        workerId,
        leaseId ?? '',
        leaseSeconds * 1000,
        queues === null ? '' : JSON.stringify(queues),
      ]);
      const ends = await this.breaker.run(shard, (redis) =>
        redis.renewLeases(some.length, ...keysOf(some), ...presented),
      );
      return ends?.map((end) => (end > 0 ? new Date(end).toISOString() : null));
    });
  }

  alive(leases: PresentedLease[]): Promise<(RenewedLease | null)[]> {
    return this.byShard(leases, async (shard, some) => {
      const presented = some.flatMap(({ workerId, leaseId }) => [workerId ?? '', leaseId ?? '']);
      const found = await this.breaker.run(shard, (redis) =>
        redis.renewedLeases(some.length, ...keysOf(some), ...presented),
      );
      return found?.map((one) => one && { leaseId: one[0], leftMs: one[1] });
    });
  }

  async keep(leases: WrittenLease[]): Promise<void> {
    await this.byShard(leases, async (shard, some) => {
      const written = some.flatMap(({ workerId, leaseId, queueName, leaseExpiresAt, endsAt, uncertainMs }) => [
        workerId,
        leaseId,
        queueName,
        Math.max(1, Math.floor(endsAt - shard.clock.monotonic())),
        // Subtracted so that no worker is promised a longer lease than the row has.
        Math.floor(Date.parse(leaseExpiresAt) - uncertainMs),
      ]);
      await this.breaker.run(shard, (redis) => redis.keepLeases(some.length, ...keysOf(some), ...written));
      return undefined;
    });
  }

  async end(leases: LeaseRef[]): Promise<void> {
    await this.byShard(leases, async (shard, some) => {
      const ids = some.map(({ leaseId }) => leaseId);
      await this.breaker.run(shard, (redis) => redis.endLeases(some.length, ...keysOf(some), ...ids, endedLeaseTtlMs));
      return undefined;
    });
  }

  /** Calls `run` on each shard concurrently, for its items; null where a shard fails. */
  private async byShard<Item extends JobRef, Result>(
    items: Item[],
    run: (shard: RedisShard, some: Item[]) => Promise<(Result | null)[] | undefined>,
  ): Promise<(Result | null)[]> {
    const results = items.map((): Result | null => null);
    const numbered = items.map((item, index) => ({ item, index }));
    const shards = Map.groupBy(numbered, ({ item }) => this.shards.shardOf(item.organizationId));
    await Promise.all(
      [...shards].map(async ([shard, some]) => {
        const ofShard = some.map(({ item }) => item);
        const found = await run(shard, ofShard);
        found?.forEach((answer, i) => (results[some[i]!.index] = answer));
      }),
    );
    return results;
  }
}

const keysOf = (some: JobRef[]): string[] => some.map(({ organizationId, jobId }) => keys.lease(organizationId, jobId));
