import type { Redis } from 'ioredis';
import type { RedisShard } from './redis-shards.js';
import type { TransportLog } from './transport-log.js';

export interface CircuitBreakerOptions {
  log: TransportLog;
  /** What is asked, for the log. */
  operation: string;
  /** How long an answer may take. Default 100 ms: a healthy Redis needs about one, a lost one is only noticed after seconds. */
  timeoutMs?: number;
  /** How long a Redis that did not answer in time, or badly, is left alone. Default 1 s. */
  pauseMs?: number;
}

/** Asks Redis for what can do without it: in time or not at all, and a Redis in trouble only now and then. */
export class CircuitBreaker {
  private readonly pausedUntil = new Map<RedisShard, number>();
  private readonly timeoutMs: number;
  private readonly pauseMs: number;

  constructor(private readonly options: CircuitBreakerOptions) {
    this.timeoutMs = options.timeoutMs ?? 100;
    this.pauseMs = options.pauseMs ?? 1000;
  }

  /** The answer, or null when there is none in time. Never rejects. */
  async run<T>(shard: RedisShard, question: (redis: Redis) => Promise<T>): Promise<T | null> {
    if (shard.commands.status !== 'ready' || performance.now() < (this.pausedUntil.get(shard) ?? 0)) return null;
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      const giveUp = () => reject(new Error(`no answer within ${this.timeoutMs} ms`));
      // When it was this process that was busy, the answer is here and only waits to be read.
      timer = setTimeout(() => setImmediate(giveUp), this.timeoutMs);
    });
    try {
      return await Promise.race([question(shard.commands), tooLate]);
    } catch (err) {
      this.pause(shard, err);
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  private pause(shard: RedisShard, err: unknown): void {
    // An outage is noticed, and told, where the connection is; it needs no pause.
    if (shard.commands.status !== 'ready') return;
    this.pausedUntil.set(shard, performance.now() + this.pauseMs);
    this.options.log.warn({ shard: shard.name, err }, `Redis was asked for ${this.options.operation} in vain`);
  }
}
