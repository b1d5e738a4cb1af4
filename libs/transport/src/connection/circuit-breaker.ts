import type { Timer } from '@spooled/domain';
import type { Redis } from 'ioredis';
import type { RedisShard } from './redis-shards.js';
import type { TransportLog } from './transport-log.js';

export interface CircuitBreakerOptions {
  log: TransportLog;
  /** Name of the operation, for the log. */
  operation: string;
  /** Timeout. Default 100 ms: a healthy Redis takes about 1 ms, a lost connection is noticed only after seconds. */
  timeoutMs?: number;
  /** How long calls are skipped after a timeout or an error. Default 1 s. */
  pauseMs?: number;
}

/** Circuit breaker for optional Redis operations: each has a timeout, and after a failure calls are skipped for a while. */
export class CircuitBreaker {
  private readonly pausedUntil = new Map<RedisShard, number>();
  private readonly timeoutMs: number;
  private readonly pauseMs: number;

  constructor(private readonly options: CircuitBreakerOptions) {
    this.timeoutMs = options.timeoutMs ?? 100;
    this.pauseMs = options.pauseMs ?? 1000;
  }

  /** The result, or null after a timeout or error, or while the circuit is open. Never rejects. */
  async run<T>(shard: RedisShard, operation: (redis: Redis) => Promise<T>): Promise<T | null> {
    const isPaused = shard.clock.monotonic() < (this.pausedUntil.get(shard) ?? 0);
    if (shard.commands.status !== 'ready' || isPaused) return null;
    let timer: Timer | undefined;
    const timeout = new Promise<never>((_, reject) => {
      const fail = () => reject(new Error(`timed out after ${this.timeoutMs} ms`));
      // If this process was blocked, the response has arrived and is read before `setImmediate`.
      timer = shard.clock.after(this.timeoutMs, () => setImmediate(fail));
    });
    try {
      return await Promise.race([operation(shard.commands), timeout]);
    } catch (err) {
      this.pause(shard, err);
      return null;
    } finally {
      timer?.cancel();
    }
  }

  private pause(shard: RedisShard, err: unknown): void {
    // A lost connection is logged by `ConnectionWatch`.
    if (shard.commands.status !== 'ready') return;
    this.pausedUntil.set(shard, shard.clock.monotonic() + this.pauseMs);
    this.options.log.warn({ shard: shard.name, err }, `Redis failed or timed out: ${this.options.operation}`);
  }
}
