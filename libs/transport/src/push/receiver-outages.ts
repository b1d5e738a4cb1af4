import type { Timestamp } from '@spooled/contracts';
import { CircuitBreaker, type CircuitBreakerOptions } from '../connection/circuit-breaker.js';
import { keys } from '../connection/keys.js';
import type { RedisShards } from '../connection/redis-shards.js';

/** The name of a push queue, whose receiver it is, or the origin of a receiver that jobs name themselves. */
export type ReportedReceiver = string | { origin: string };

/** A receiver of pushed jobs that does not respond. */
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
  report(organizationId: string, receiver: ReportedReceiver, pauseMs: number): void {
    const key = keyOf(organizationId, receiver);
    void this.breaker.run(this.shards.shardOf(organizationId), (redis) => redis.reportOutage(key, pauseMs, keptMs));
  }

  /** The receiver responds again, or is called no more. Never waits. */
  end(organizationId: string, receiver: ReportedReceiver): void {
    const key = keyOf(organizationId, receiver);
    void this.breaker.run(this.shards.shardOf(organizationId), (redis) => redis.del(key));
  }

  /** Null: the receiver responds, as far as is known. Undefined: Redis is unavailable. Never throws. */
  async find(organizationId: string, receiver: ReportedReceiver): Promise<ReceiverOutage | null | undefined> {
    const key = keyOf(organizationId, receiver);
    const found = await this.breaker.run(this.shards.shardOf(organizationId), (redis) => redis.hgetall(key));
    if (!found) return undefined;
    if (found.since === undefined || found.next_call === undefined) return null;
    return { since: timeOf(found.since), nextCallAt: timeOf(found.next_call) };
  }
}

const keyOf = (organizationId: string, receiver: ReportedReceiver): string =>
  typeof receiver === 'string'
    ? keys.receiverOutage(organizationId, receiver)
    : keys.jobReceiverOutage(organizationId, receiver.origin);

const timeOf = (ms: string): Timestamp => new Date(Number(ms)).toISOString();
