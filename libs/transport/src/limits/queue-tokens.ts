import { keys } from '../connection/keys.js';
import type { RedisShards } from '../connection/redis-shards.js';

export interface TakenTokens {
  taken: number;
  /** Milliseconds until the next token; 0 while one is available. */
  retryInMs: number;
}

/**
 * Token buckets of rate-limited queues, shared by all processes: capacity of one second, continuous refill, clock of
 * Redis (MQ-15). The rate is passed with every call, so a changed rate applies at once (MQ-16).
 */
export class QueueTokens {
  constructor(private readonly shards: RedisShards) {}

  /** Takes up to `wanted` tokens. Null while Redis is unavailable. Never throws. */
  async take(
    organizationId: string,
    queueName: string,
    ratePerSecond: number,
    wanted: number,
  ): Promise<TakenTokens | null> {
    try {
      const [taken, retryInMs] = await this.change(organizationId, queueName, ratePerSecond, wanted);
      return { taken, retryInMs };
    } catch {
      return null;
    }
  }

  /** Returns unused tokens. Best effort; never waits. */
  refund(organizationId: string, queueName: string, ratePerSecond: number, tokens: number): void {
    this.change(organizationId, queueName, ratePerSecond, -tokens).catch(() => undefined);
  }

  /** Milliseconds until the next token, 0 while one is available; takes none. Null while Redis is unavailable. Never throws. */
  async nextInMs(organizationId: string, queueName: string, ratePerSecond: number): Promise<number | null> {
    return (await this.take(organizationId, queueName, ratePerSecond, 0))?.retryInMs ?? null;
  }

  private change(organizationId: string, queueName: string, rate: number, tokens: number): Promise<[number, number]> {
    const { commands } = this.shards.shardOf(organizationId);
    return commands.takeTokens(keys.queueTokens(organizationId, queueName), rate, Math.max(1, rate), tokens);
  }
}
