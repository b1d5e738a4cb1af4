import { keys } from '../connection/keys.js';
import type { RedisShards } from '../connection/redis-shards.js';

export interface TakenTokens {
  taken: number;
  /** Milliseconds until there is a token again; 0 while there is one. */
  retryInMs: number;
}

/**
 * The token bucket of each queue with a rate, shared by all processes: capacity of one second's tokens, continuous refill, by the
 * clock of Redis (MQ-15). The rate comes with every call, so a new one holds from the next call on (MQ-16).
 */
export class QueueTokens {
  constructor(private readonly shards: RedisShards) {}

  /** Takes up to `wanted` tokens; all of them while Redis cannot be asked. Never throws. */
  async take(organizationId: string, queueName: string, ratePerSecond: number, wanted: number): Promise<TakenTokens> {
    try {
      const [taken, retryInMs] = await this.change(organizationId, queueName, ratePerSecond, wanted);
      return { taken, retryInMs };
    } catch {
      return { taken: wanted, retryInMs: 0 };
    }
  }

  /** Puts back what was not used. May be lost, never waits. */
  giveBack(organizationId: string, queueName: string, ratePerSecond: number, tokens: number): void {
    this.change(organizationId, queueName, ratePerSecond, -tokens).catch(() => undefined);
  }

  private change(organizationId: string, queueName: string, rate: number, tokens: number): Promise<[number, number]> {
    const { commands } = this.shards.shardOf(organizationId);
    return commands.takeTokens(keys.queueTokens(organizationId, queueName), rate, Math.max(1, rate), tokens);
  }
}
