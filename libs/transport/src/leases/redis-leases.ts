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

/** Longer than any word of a renewal travels. */
const endedIsRememberedMs = 60_000;

interface OfJob {
  organizationId: string;
  jobId: string;
}

/** The leases of renewed jobs, each on the shard of its organization; one script for a batch and shard (KF-06, KF-07, KF-12). */
export class RedisLeases implements LeaseStore {
  private readonly patience: CircuitBreaker;

  constructor(
    private readonly shards: RedisShards,
    options: Omit<CircuitBreakerOptions, 'operation'>,
  ) {
    this.patience = new CircuitBreaker({ ...options, operation: 'leases' });
  }

  renew(renewals: LeaseRenewal[]): Promise<(Timestamp | null)[]> {
    return this.byShard(renewals, async (shard, some) => {
      const shown = some.flatMap(({ workerId, leaseId, leaseSeconds, queues }) => [
        workerId,
        leaseId ?? '',
        leaseSeconds * 1000,
        queues === null ? '' : JSON.stringify(queues),
      ]);
      const ends = await this.patience.run(shard, (redis) =>
        redis.renewLeases(some.length, ...namesOf(some), ...shown),
      );
      return ends?.map((end) => (end > 0 ? new Date(end).toISOString() : null));
    });
  }

  alive(leases: PresentedLease[]): Promise<(RenewedLease | null)[]> {
    return this.byShard(leases, async (shard, some) => {
      const shown = some.flatMap(({ workerId, leaseId }) => [workerId ?? '', leaseId ?? '']);
      const living = await this.patience.run(shard, (redis) =>
        redis.livingLeases(some.length, ...namesOf(some), ...shown),
      );
      return living?.map((one) => one && { leaseId: one[0], leftMs: one[1] });
    });
  }

  async keep(leases: WrittenLease[]): Promise<void> {
    await this.byShard(leases, async (shard, some) => {
      const written = some.flatMap(({ workerId, leaseId, queueName, leaseExpiresAt, endsAt, uncertainMs }) => [
        workerId,
        leaseId,
        queueName,
        Math.max(1, Math.floor(endsAt - performance.now())),
        // So that no worker is promised more than there is.
        Math.floor(Date.parse(leaseExpiresAt) - uncertainMs),
      ]);
      await this.patience.run(shard, (redis) => redis.keepLeases(some.length, ...namesOf(some), ...written));
      return undefined;
    });
  }

  async end(leases: LeaseRef[]): Promise<void> {
    await this.byShard(leases, async (shard, some) => {
      const ids = some.map(({ leaseId }) => leaseId);
      await this.patience.run(shard, (redis) =>
        redis.endLeases(some.length, ...namesOf(some), ...ids, endedIsRememberedMs),
      );
      return undefined;
    });
  }

  /** Asks each shard about what it holds, all at once; null where a shard has no answer. */
  private async byShard<Question extends OfJob, Answer>(
    questions: Question[],
    ask: (shard: RedisShard, some: Question[]) => Promise<(Answer | null)[] | undefined>,
  ): Promise<(Answer | null)[]> {
    const answers = questions.map((): Answer | null => null);
    const places = new Map<RedisShard, number[]>();
    questions.forEach(({ organizationId }, place) => {
      const shard = this.shards.shardOf(organizationId);
      const known = places.get(shard);
      if (known) known.push(place);
      else places.set(shard, [place]);
    });
    await Promise.all(
      [...places].map(async ([shard, own]) => {
        const found = await ask(
          shard,
          own.map((place) => questions[place]!),
        );
        found?.forEach((answer, i) => (answers[own[i]!] = answer));
      }),
    );
    return answers;
  }
}

const namesOf = (some: OfJob[]): string[] => some.map(({ organizationId, jobId }) => keys.lease(organizationId, jobId));
