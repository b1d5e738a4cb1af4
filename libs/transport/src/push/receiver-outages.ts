import type { Timestamp } from '@spooled/contracts';
import { CircuitBreaker, type CircuitBreakerOptions } from '../connection/circuit-breaker.js';
import { keys } from '../connection/keys.js';
import type { RedisShards } from '../connection/redis-shards.js';

/** A receiver of a push queue that does not respond. */
export interface ReceiverOutage {
  since: Timestamp;
  /** The trial call is made then, or runs already. */
  nextCallAt: Timestamp;
}

/**
 * Longer than the trial call of most receivers takes. A replica that stops cannot end its record, while others may reach the receiver,
 * so it must not stay for long.
 */
const keptMs = 300_000;

/** Open circuits of push receivers in Redis, so that explanations know them. Best effort. */
export class ReceiverOutages {
  private readonly breaker: CircuitBreaker;

  constructor(
    private readonly shards: RedisShards,
    options: Omit<CircuitBreakerOptions, 'operation'>,
  ) {
    this.breaker = new CircuitBreaker({ ...options, operation: 'receiver outages' });
  }

  /** Calls are paused for `pauseMs`. Never waits. */
  report(organizationId: string, queueName: string, pauseMs: number): void {
    const key = keys.receiverOutage(organizationId, queueName);
    void this.breaker.run(this.shards.shardOf(organizationId), (redis) => redis.reportOutage(key, pauseMs, keptMs));
  }

  /** The receiver responds again, or is called no more. Never waits. */
  end(organizationId: string, queueName: string): void {
    const key = keys.receiverOutage(organizationId, queueName);
    void this.breaker.run(this.shards.shardOf(organizationId), (redis) => redis.del(key));
  }

  /** Null: the receiver responds, as far as is known. Undefined: Redis is unavailable. Never throws. */
  async find(organizationId: string, queueName: string): Promise<ReceiverOutage | null | undefined> {
    const key = keys.receiverOutage(organizationId, queueName);
    const found = await this.breaker.run(this.shards.shardOf(organizationId), (redis) => redis.hgetall(key));
    if (!found) return undefined;
    if (found.since === undefined || found.next_call === undefined) return null;
    return { since: timeOf(found.since), nextCallAt: timeOf(found.next_call) };
  }
}

const timeOf = (ms: string): Timestamp => new Date(Number(ms)).toISOString();
