import type { Timestamp } from '@spooled/contracts';
import { CircuitBreaker, type CircuitBreakerOptions } from '../connection/circuit-breaker.js';
import { keys } from '../connection/keys.js';
import type { RedisShards } from '../connection/redis-shards.js';

/** Why a process of the webhooks service does not call the jobs of a push queue, with its figures. */
export type PushShortage =
  /** All calls, or all bytes of payloads, of the process are in use, or the share of the organization is. */
  | { code: 'no_free_push_call'; running: number; inUse: number; limit: number; hasBytes: boolean }
  /** The plan of the organization allows no further call. */
  | { code: 'push_call_limit'; running: number; limit: number };

export type ReportedShortage = PushShortage & { since: Timestamp };

/** Shortages of push calls in Redis, so that explanations know them. Best effort. */
export class PushShortages {
  private readonly breaker: CircuitBreaker;

  constructor(
    private readonly shards: RedisShards,
    options: Omit<CircuitBreakerOptions, 'operation'>,
  ) {
    this.breaker = new CircuitBreaker({ ...options, operation: 'push shortages' });
  }

  /** To be repeated while it lasts; the record ends by itself after `keptMs`. Never waits. */
  report(organizationId: string, queueName: string, { code, ...figures }: PushShortage, keptMs: number): void {
    const key = keys.pushShortage(organizationId, queueName);
    void this.breaker.run(this.shards.shardOf(organizationId), (redis) =>
      redis.reportShortage(key, code, JSON.stringify(figures), keptMs),
    );
  }

  /** Null: none is known. Undefined: Redis is unavailable. Never throws. */
  async find(organizationId: string, queueName: string): Promise<ReportedShortage | null | undefined> {
    const key = keys.pushShortage(organizationId, queueName);
    const found = await this.breaker.run(this.shards.shardOf(organizationId), (redis) => redis.hgetall(key));
    if (!found) return undefined;
    const { code, since, figures } = found;
    if (code === undefined || since === undefined || figures === undefined) return null;
    const stored = { code, ...(JSON.parse(figures) as object) } as PushShortage;
    return { ...stored, since: new Date(Number(since)).toISOString() };
  }
}
