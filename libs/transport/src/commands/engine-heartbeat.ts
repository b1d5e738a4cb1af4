import type { Timer } from '@spooled/domain';
import { keys } from '../connection/keys.js';
import type { RedisShard } from '../connection/redis-shards.js';
import type { TransportLog } from '../connection/transport-log.js';

const heartbeatIntervalMs = 500;
/** Engines without a heartbeat for 2 s count as gone. */
const heartbeatTtlMs = 2000;

/** Publishes that this engine is alive, and measures the offset to the clock of Redis. */
export class EngineHeartbeat {
  private timer: Timer | undefined;
  /** Offset from this process's monotonic clock to the clock of Redis, ms. */
  private clockOffset: number | undefined;
  /** By the clock of Redis: since then, heartbeats have not expired. */
  private aliveSince = Infinity;
  /** By the clock of Redis: when the last acknowledged heartbeat expires. */
  private expiresAt = -Infinity;

  constructor(
    private readonly shard: RedisShard,
    private readonly engineId: string,
    private readonly log: TransportLog,
  ) {}

  start(): void {
    this.timer = this.shard.clock.every(heartbeatIntervalMs, this.send);
    this.shard.commands.on('ready', this.send);
    this.shard.commands.on('close', this.resetClock);
    this.send();
  }

  /** The clock of Redis in ms; undefined until a heartbeat was acknowledged on the current connection. */
  redisNow(): number | undefined {
    return this.clockOffset === undefined ? undefined : this.shard.clock.monotonic() + this.clockOffset;
  }

  /**
   * Whether, since that moment (clock of Redis, ms), callers may have considered this engine gone and run its commands
   * themselves: it had not started, its heartbeat has expired, or its connection was lost.
   */
  mayHaveExpiredSince(moment: number): boolean {
    const now = this.redisNow();
    return now === undefined || now >= this.expiresAt || moment < this.aliveSince;
  }

  async stop(): Promise<void> {
    this.timer?.cancel();
    this.shard.commands.off('ready', this.send);
    this.shard.commands.off('close', this.resetClock);
    if (this.shard.commands.status !== 'ready') return;
    // Fails only if Redis becomes unavailable now; then the heartbeat expires.
    await this.shard.commands.zrem(keys.engines(this.shard.name), this.engineId).catch(() => undefined);
  }

  /** After a failover the clock is another machine's. */
  private readonly resetClock = (): void => {
    this.clockOffset = undefined;
    this.expiresAt = -Infinity;
  };

  private readonly send = (): void => void this.write();

  private async write(): Promise<void> {
    if (this.shard.commands.status !== 'ready') return;
    const sentAt = this.shard.clock.monotonic();
    try {
      const now = await this.shard.commands.heartbeat(keys.engines(this.shard.name), this.engineId, heartbeatTtlMs);
      this.clockOffset = now - (sentAt + this.shard.clock.monotonic()) / 2;
      if (now >= this.expiresAt) this.aliveSince = now;
      this.expiresAt = now + heartbeatTtlMs;
    } catch (error) {
      if (this.shard.commands.status !== 'ready') return;
      this.log.warn({ shard: this.shard.name, err: error }, 'Failed to write the engine heartbeat');
    }
  }
}
