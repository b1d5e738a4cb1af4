import type { Redis } from 'ioredis';
import type { TransportLog } from './transport-log.js';

/** Follows all connections to one Redis: one log line when it is lost, one when all of them are back. */
export class ConnectionWatch {
  private readonly down = new Set<Redis>();
  private lastError = '';
  private closing = false;

  constructor(
    private readonly shardName: string,
    private readonly log: TransportLog,
  ) {}

  /** Adds a connection, and with it the 'error' listener without which ioredis would end the process. */
  add(redis: Redis): void {
    redis.on('error', (error: Error) => (this.lastError = error.message || error.name));
    redis.on('close', () => this.lost(redis));
    redis.on('ready', () => this.back(redis));
    redis.on('end', () => this.down.delete(redis));
  }

  /** From here on connections close because we want it; that is not worth a line. */
  stop(): void {
    this.closing = true;
  }

  private lost(redis: Redis): void {
    if (this.closing) return;
    const isFirst = this.down.size === 0;
    this.down.add(redis);
    if (isFirst) this.log.warn({ shard: this.shardName, reason: this.lastError || 'closed' }, 'Redis connection lost');
  }

  private back(redis: Redis): void {
    if (!this.down.delete(redis) || this.down.size > 0) return;
    this.lastError = '';
    this.log.info({ shard: this.shardName }, 'Redis connection is back');
  }
}
