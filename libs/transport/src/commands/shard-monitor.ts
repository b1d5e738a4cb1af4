import type { TransportState } from '@spooled/contracts';
import { keys } from '../connection/keys.js';
import type { RedisShard, RedisShards } from '../connection/redis-shards.js';
import type { TransportLog } from '../connection/transport-log.js';

/** The consumer group that all engines share. */
export const engineGroup = 'engines';

const readState = ({ name, commands }: RedisShard): Promise<[engines: number, oldestWaitingMs: number]> =>
  commands.shardState(keys.commandStream(name), keys.engines(name), engineGroup);

/**
 * Age in ms of the oldest command, over all shards, that no engine has taken; 0 when none waits.
 * @throws Error when a Redis is down
 */
export async function readBacklogAge(shards: RedisShards): Promise<number> {
  const states = await Promise.all(shards.all.map(readState));
  return Math.max(0, ...states.map(([, oldestWaitingMs]) => oldestWaitingMs));
}

/** Some missed polls are a busy moment; more are a Redis that does not answer. */
const staleAfterMs = 2000;
/** Without commands for this long, and with engines alive, a shard is asked less often: it was a third of what an idle gateway did. */
const restAfterMs = 2000;
/** Less than `staleAfterMs`, so that the first command after a rest is sent, and not run here. */
const restingPollMs = 1000;

export interface ShardMonitorOptions {
  log: TransportLog;
  /** How often the shard is asked while commands are sent, ms. */
  pollMs: number;
  /** Age of the oldest command that no engine has taken, above which new ones are refused. */
  backlogLimitMs: number;
  /** The channel on which answers arrive: without it nothing may be sent. */
  replyChannel: string;
  onEnginesGone: () => void;
}

/** Knows, without asking at each command, whether a shard's engines live and keep up. */
export class ShardMonitor {
  private engines = 0;
  private oldestWaitingMs = -1;
  private polledAt = -Infinity;
  private polling = false;
  private usedAt = -Infinity;
  private resting = false;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly shard: RedisShard,
    private readonly options: ShardMonitorOptions,
  ) {
    shard.commands.on('ready', () => void this.poll());
    void this.poll();
  }

  get state(): TransportState {
    const canTalk = this.shard.connected && this.shard.channels.isLive(this.options.replyChannel);
    const isFresh = performance.now() - this.polledAt < staleAfterMs;
    if (!canTalk || !isFresh || this.engines === 0) return 'down';
    return this.oldestWaitingMs > this.options.backlogLimitMs ? 'backlogged' : 'ready';
  }

  /** To be called at each command: what is known at rest may be a second old, so the first one has the shard asked at once. */
  noteCommand(): void {
    this.usedAt = performance.now();
    if (this.resting) void this.poll();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private async poll(): Promise<void> {
    if (this.polling) return;
    this.polling = true;
    this.resting = false;
    clearTimeout(this.timer);
    try {
      if (this.shard.commands.status === 'ready') this.note(await readState(this.shard));
    } catch (error) {
      // A lost connection has its own line; what is left is a Redis that refuses the script.
      if (this.shard.commands.status === 'ready')
        this.options.log.warn({ shard: this.shard.name, err: error }, 'Redis poll failed');
    } finally {
      this.polling = false;
      this.planNext();
    }
  }

  private planNext(): void {
    if (this.stopped) return;
    const { pollMs } = this.options;
    this.resting = this.state === 'ready' && performance.now() - this.usedAt > restAfterMs;
    const waitMs = this.resting ? Math.max(pollMs, restingPollMs) : pollMs;
    this.timer = setTimeout(() => void this.poll(), waitMs).unref();
  }

  private note([engines, oldestWaitingMs]: [number, number]): void {
    const hadEngines = this.engines > 0;
    this.engines = engines;
    this.oldestWaitingMs = oldestWaitingMs;
    this.polledAt = performance.now();
    if (hadEngines && engines === 0) this.options.onEnginesGone();
  }
}
