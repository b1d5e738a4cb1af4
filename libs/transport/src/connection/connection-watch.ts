import type { Redis } from 'ioredis';
import type { TransportLog } from './transport-log.js';

/** Logs outages of one Redis: one line when it is lost, one when all its connections are back. */
export class ConnectionWatch {
  private readonly down = new Set<Redis>();
  private lastError = '';
  private closing = false;

  constructor(
    private readonly shardName: string,
    private readonly log: TransportLog,
  ) {}

  /** Adds a connection, and the 'error' listener without which ioredis would crash the process. */
  add(redis: Redis): void {
    redis.on('error', (error: Error) => {
      this.lastError = error.message || error.name;
      // Without any sentinel there is no connection that could close.
      if (redis.status !== 'ready') this.lost(redis);
    });
    redis.on('close', () => this.lost(redis));
    redis.on('ready', () => this.restored(redis));
    redis.on('end', () => this.down.delete(redis));
  }

  /** From now on closed connections are intended and not logged. */
  stop(): void {
    this.closing = true;
  }

  private lost(redis: Redis): void {
    if (this.closing) return;
    const isFirst = this.down.size === 0;
    this.down.add(redis);
    if (isFirst) this.log.warn({ shard: this.shardName, reason: this.lastError || 'closed' }, 'Redis connection lost');
  }

  private restored(redis: Redis): void {
    if (!this.down.delete(redis) || this.down.size > 0) return;
    this.lastError = '';
    this.log.info({ shard: this.shardName }, 'Redis connection restored');
  }
}
