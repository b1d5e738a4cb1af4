import type { TransportState } from '@spooled/contracts';
import type { Timer } from '@spooled/domain';
import { keys } from '../connection/keys.js';
import type { RedisShard, RedisShards } from '../connection/redis-shards.js';
import type { TransportLog } from '../connection/transport-log.js';

/** The consumer group that all engines share. */
export const engineGroup = 'engines';

const readState = ({ name, commands }: RedisShard): Promise<[engines: number, oldestWaitingMs: number]> =>
  commands.shardState(keys.commandStream(name), keys.engines(name), engineGroup);

/**
 * Age in ms of the oldest command, over all shards, that no engine has taken; 0 when there is none.
 * @throws Error when a Redis is unavailable
 */
export async function readBacklogAge(shards: RedisShards): Promise<number> {
  const states = await Promise.all(shards.all.map(readState));
  return Math.max(0, ...states.map(([, oldestWaitingMs]) => oldestWaitingMs));
}

/** The state is unknown without a successful poll for this long. */
const staleAfterMs = 2000;
/** A shard without commands for this long is polled less often: polling was a third of an idle gateway's work. */
const idleAfterMs = 2000;
/** Below `staleAfterMs`, so that the first command after an idle time is still sent. */
const idlePollMs = 1000;

export interface ShardMonitorOptions {
  log: TransportLog;
  /** Poll interval while commands are sent, ms. */
  pollMs: number;
  /** New commands are refused when the oldest command that no engine has taken is older than this. */
  backlogLimitMs: number;
  /** The channel of responses: commands are sent only while it is subscribed. */
  replyChannel: string;
  onEnginesGone: () => void;
}

/** Tracks whether a shard's engines are alive and keep up, without a round trip per command. */
export class ShardMonitor {
  private engines = 0;
  private oldestWaitingMs = -1;
  private polledAt = -Infinity;
  private polling = false;
  private lastCommandAt = -Infinity;
  private idle = false;
  private stopped = false;
  private timer: Timer | undefined;

  constructor(
    private readonly shard: RedisShard,
    private readonly options: ShardMonitorOptions,
  ) {
    shard.commands.on('ready', () => void this.poll());
    void this.poll();
  }

  /** Ms that the oldest command has waited for an engine. */
  get backlogAge(): number {
    return this.oldestWaitingMs;
  }

  get state(): TransportState {
    const isConnected = this.shard.connected && this.shard.channels.isSubscribed(this.options.replyChannel);
    const isFresh = this.shard.clock.monotonic() - this.polledAt < staleAfterMs;
    if (!isConnected || !isFresh || this.engines === 0) return 'down';
    return this.oldestWaitingMs > this.options.backlogLimitMs ? 'backlogged' : 'ready';
  }

  /** Call at each command: the idle state may be 1 s old, so the first command triggers a poll. */
  recordCommand(): void {
    this.lastCommandAt = this.shard.clock.monotonic();
    if (this.idle) void this.poll();
  }

  stop(): void {
    this.stopped = true;
    this.timer?.cancel();
  }

  private async poll(): Promise<void> {
    if (this.polling) return;
    this.polling = true;
    this.idle = false;
    this.timer?.cancel();
    try {
      if (this.shard.commands.status === 'ready') this.update(await readState(this.shard));
    } catch (error) {
      // A lost connection is logged by the connection watch; this is a Redis that rejects the script.
      if (this.shard.commands.status === 'ready')
        this.options.log.warn({ shard: this.shard.name, err: error }, 'Redis poll failed');
    } finally {
      this.polling = false;
      this.scheduleNext();
    }
  }

  private scheduleNext(): void {
    if (this.stopped) return;
    const { pollMs } = this.options;
    this.idle = this.state === 'ready' && this.shard.clock.monotonic() - this.lastCommandAt > idleAfterMs;
    const waitMs = this.idle ? Math.max(pollMs, idlePollMs) : pollMs;
    this.timer = this.shard.clock.after(waitMs, () => void this.poll()).unref();
  }

  private update([engines, oldestWaitingMs]: [number, number]): void {
    const hadEngines = this.engines > 0;
    this.engines = engines;
    this.oldestWaitingMs = oldestWaitingMs;
    this.polledAt = this.shard.clock.monotonic();
    if (hadEngines && engines === 0) this.options.onEnginesGone();
  }
}
