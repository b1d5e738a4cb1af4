import { keys } from '../connection/keys.js';
import type { RedisShard } from '../connection/redis-shards.js';
import type { TransportLog } from '../connection/transport-log.js';

const beatMs = 500;
/** A heartbeat counts this long: an engine that vanished is missed after two seconds. */
const countsMs = 2000;

/** Tells callers that this engine lives, and learns the clock of Redis on the way. */
export class EngineHeartbeat {
  private timer: NodeJS.Timeout | undefined;
  /** What to add to the monotonic clock of this process to read the clock of Redis, ms. */
  private clockOffset: number | undefined;
  /** Since when, by the clock of Redis, no heartbeat has lapsed. */
  private unbrokenSince = Infinity;
  /** When the last heartbeat that was answered lapses, by the clock of Redis. */
  private lapsesAt = -Infinity;

  constructor(
    private readonly shard: RedisShard,
    private readonly engineId: string,
    private readonly log: TransportLog,
  ) {}

  start(): void {
    this.timer = setInterval(this.beat, beatMs);
    this.shard.commands.on('ready', this.beat);
    this.shard.commands.on('close', this.forgetClock);
    this.beat();
  }

  /** The clock of Redis in ms, or undefined until a heartbeat was answered over the present connection. */
  redisNow(): number | undefined {
    return this.clockOffset === undefined ? undefined : performance.now() + this.clockOffset;
  }

  /**
   * Whether callers may have taken this engine for gone since that moment (of the clock of Redis, ms), and have run its commands
   * themselves: it had not started then, its heartbeat has lapsed since, or its connection broke.
   */
  mayHaveLapsedSince(moment: number): boolean {
    const now = this.redisNow();
    return now === undefined || now >= this.lapsesAt || moment < this.unbrokenSince;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.shard.commands.off('ready', this.beat);
    this.shard.commands.off('close', this.forgetClock);
    if (this.shard.commands.status !== 'ready') return;
    // Fails only when Redis goes away just now; then the heartbeat lapses by itself.
    await this.shard.commands.zrem(keys.engines(this.shard.name), this.engineId).catch(() => undefined);
  }

  /** After a failover another machine tells the time. */
  private readonly forgetClock = (): void => {
    this.clockOffset = undefined;
    this.lapsesAt = -Infinity;
  };

  private readonly beat = (): void => void this.write();

  private async write(): Promise<void> {
    if (this.shard.commands.status !== 'ready') return;
    const sentAt = performance.now();
    try {
      const now = await this.shard.commands.heartbeat(keys.engines(this.shard.name), this.engineId, countsMs);
      this.clockOffset = now - (sentAt + performance.now()) / 2;
      if (now >= this.lapsesAt) this.unbrokenSince = now;
      this.lapsesAt = now + countsMs;
    } catch (error) {
      if (this.shard.commands.status !== 'ready') return;
      this.log.warn({ shard: this.shard.name, err: error }, 'The engine heartbeat could not be written');
    }
  }
}
