import type { Redis } from 'ioredis';
import type { Command, Outcome } from '@spooled/contracts';
import { type Clock, internalError, type Timer } from '@spooled/domain';
import { EngineHeartbeat } from './engine-heartbeat.js';
import type { InFlightCommands } from './in-flight-commands.js';
import { keys } from '../connection/keys.js';
import type { RedisShard } from '../connection/redis-shards.js';
import { ReplyWriter, type CommandReply } from './reply-writer.js';
import { engineGroup } from './shard-monitor.js';
import type { TransportLog } from '../connection/transport-log.js';
import { addedAt, decodeCommands } from './wire.js';

export interface ShardConsumerOptions {
  log: TransportLog;
  engineId: string;
  /** Entries per read. */
  batchSize: number;
  /** An entry that its engine has not refreshed for this long is redelivered to another engine. */
  redeliverAfterMs: number;
  /** An entry delivered more often than this is dropped. */
  maxDeliveries: number;
  /** Called with replies whose channel has no subscriber; must not throw. */
  onUndelivered(reply: CommandReply): void;
}

/** Below the socket timeout of 3 s; a graceful stop does not wait for it. */
const blockMs = 2000;
const unblockEveryMs = 20;
const retryAfterErrorMs = 100;
const clockWaitMs = 20;
const reclaimCount = 100;

/** Reads the commands of one shard, keeps them claimed while in flight, and writes their responses. */
export class ShardConsumer {
  private readonly redis: Redis;
  private readonly stream: string;
  private readonly heartbeat: EngineHeartbeat;
  private readonly writer: ReplyWriter;
  private readonly inFlight = new Set<string>();
  private readonly log: TransportLog;
  private readonly clock: Clock;
  private reading: Promise<void> = Promise.resolve();
  private maintenanceTimer: Timer | undefined;
  private maintaining = false;
  private reclaimCursor = '0-0';
  private stopping = false;
  private droppedExpired = 0;
  /** The CLIENT ID of the connection that reads. */
  private readerId: number | undefined;

  constructor(
    private readonly shard: RedisShard,
    private readonly limit: InFlightCommands,
    private readonly run: (command: Command) => Promise<Outcome>,
    private readonly options: ShardConsumerOptions,
  ) {
    this.log = options.log;
    this.clock = shard.clock;
    this.redis = shard.open('blocking');
    this.redis.on('ready', () => void this.fetchReaderId());
    this.redis.on('close', () => (this.readerId = undefined));
    this.stream = keys.commandStream(shard.name);
    this.heartbeat = new EngineHeartbeat(shard, options.engineId, options.log);
    this.writer = new ReplyWriter(shard, options.log, (reply) => options.onUndelivered(reply));
  }

  start(): void {
    this.heartbeat.start();
    this.reading = this.read();
    this.maintenanceTimer = this.clock.every(this.options.redeliverAfterMs / 3, () => void this.maintain());
  }

  /** Stops reading; commands in flight continue. */
  async stopReading(): Promise<void> {
    this.stopping = true;
    let isFinished = false;
    const finished = this.reading.then(() => (isFinished = true));
    // Repeated, because a read that has not reached Redis yet cannot be unblocked.
    while (!isFinished) {
      await this.unblockRead();
      await Promise.race([finished, this.clock.sleep(unblockEveryMs)]);
    }
  }

  /** Writes the last replies and leaves the group. */
  async close(): Promise<void> {
    this.maintenanceTimer?.cancel();
    this.reportExpired();
    await this.writer.flush();
    await this.heartbeat.stop();
    this.redis.disconnect();
  }

  private async fetchReaderId(): Promise<void> {
    this.readerId = await this.redis.client('ID').catch(() => undefined);
  }

  /**
   * CLIENT UNBLOCK ends a waiting read as if it had timed out; a read that found entries returns them, so none is lost.
   * If Redis is unavailable or forbids the command, the read times out.
   */
  private async unblockRead(): Promise<void> {
    if (this.readerId === undefined) return;
    await this.shard.commands.client('UNBLOCK', this.readerId).catch(() => undefined);
  }

  private async read(): Promise<void> {
    while (!this.stopping) {
      await this.limit.acquire();
      if (this.stopping) return;
      // Without the clock of Redis, expired commands could not be recognized.
      if (this.heartbeat.redisNow() === undefined) {
        await this.clock.sleep(clockWaitMs);
        continue;
      }
      try {
        await this.readOnce();
      } catch (error) {
        await this.recover(error as Error);
      }
    }
  }

  private async readOnce(): Promise<void> {
    const count = Math.min(this.limit.available, this.options.batchSize);
    if (count === 0) return;
    const { stream } = this;
    // oxfmt-ignore
    const found = (await this.redis.xreadgroup(
      'GROUP', engineGroup, this.options.engineId, 'COUNT', count, 'BLOCK', blockMs, 'STREAMS', stream, '>',
    )) as [string, [string, string[]][]][] | null;
    for (const [, entries] of found ?? []) for (const [entryId, fields] of entries) this.take(entryId, fields[1]!, 1);
  }

  private async recover(error: Error): Promise<void> {
    // NOGROUP: first start, or Redis lost its data. UNBLOCKED: the stream was deleted during a read.
    const groupIsMissing = /^(NOGROUP|UNBLOCKED)/.test(error.message);
    if (groupIsMissing && (await this.createGroup())) return;
    if (!groupIsMissing && this.redis.status === 'ready') {
      this.log.warn({ shard: this.shard.name, err: error }, 'Failed to read commands');
    }
    await this.clock.sleep(retryAfterErrorMs);
  }

  private async createGroup(): Promise<boolean> {
    try {
      // From the first entry: commands may already be waiting.
      await this.redis.xgroup('CREATE', this.stream, engineGroup, '0', 'MKSTREAM');
      return true;
    } catch (error) {
      if ((error as Error).message.startsWith('BUSYGROUP')) return true;
      if (this.redis.status === 'ready')
        this.log.warn({ shard: this.shard.name, err: error }, 'Failed to create the consumer group');
      return false;
    }
  }

  private take(entryId: string, text: string, deliveries: number): void {
    if (this.inFlight.has(entryId)) return;
    let message: ReturnType<typeof decodeCommands>;
    try {
      message = decodeCommands(text);
    } catch (error) {
      const facts = { shard: this.shard.name, entry_id: entryId, err: error };
      this.log.error(facts, 'Dropped an entry that is not a command');
      return this.writer.add({ entryId });
    }
    const { commands, replyTo } = message;
    const live = commands.filter((command) => !this.isExpired(entryId, command));
    this.droppedExpired += commands.length - live.length;
    if (live.length === 0) return this.writer.add({ entryId });
    if (deliveries > this.options.maxDeliveries) return this.dropUndeliverable(entryId, replyTo, live, deliveries);
    const redelivered = deliveries > 1 || this.heartbeat.mayHaveExpiredSince(addedAt(entryId));
    for (const command of live) Object.assign(command, { delivery: deliveries, ...(redelivered && { redelivered }) });
    void this.runEntry(entryId, replyTo, live);
  }

  /** Each command is answered when it ends; the entry is acknowledged with the last one. */
  private async runEntry(entryId: string, channel: string, commands: Command[]): Promise<void> {
    this.inFlight.add(entryId);
    let remaining = commands.length;
    const runOne = async (command: Command): Promise<void> => {
      this.limit.start();
      const outcome = await this.run(command);
      const isLast = --remaining === 0;
      if (isLast) this.inFlight.delete(entryId);
      const reply = { channel, command, outcome };
      this.writer.add(isLast ? { entryId, reply } : { reply });
      this.limit.finish();
    };
    await Promise.all(commands.map(runOne));
  }

  /** Engines crash on one of these commands, or it runs longer than they do. */
  private dropUndeliverable(entryId: string, channel: string, commands: Command[], deliveries: number): void {
    const outcome: Outcome = { ok: false, error: internalError().toShape() };
    for (const command of commands) {
      const facts = { shard: this.shard.name, command_id: command.id, kind: command.kind, deliveries };
      this.log.error(facts, 'Dropped a command: max deliveries exceeded');
      this.writer.add({ reply: { channel, command, outcome } });
    }
    this.writer.add({ entryId });
  }

  private isExpired(entryId: string, command: Command): boolean {
    const now = this.heartbeat.redisNow();
    return now !== undefined && addedAt(entryId) + command.ttlMs <= now;
  }

  /** Refreshes claimed entries, and takes over entries of engines that stopped refreshing theirs. */
  private async maintain(): Promise<void> {
    this.reportExpired();
    if (this.maintaining || this.shard.commands.status !== 'ready') return;
    this.maintaining = true;
    try {
      await this.refreshClaims();
      if (!this.stopping && this.heartbeat.redisNow() !== undefined) await this.reclaim();
    } catch (error) {
      const isExpected = (error as Error).message.startsWith('NOGROUP') || this.shard.commands.status !== 'ready';
      if (!isExpected) this.log.warn({ shard: this.shard.name, err: error }, 'Failed to refresh or take over commands');
    } finally {
      this.maintaining = false;
    }
  }

  /** One line for all of them: after an outage there may be thousands. */
  private reportExpired(): void {
    if (this.droppedExpired === 0) return;
    this.log.warn({ shard: this.shard.name, commands: this.droppedExpired }, 'Dropped commands past their deadline');
    this.droppedExpired = 0;
  }

  private async refreshClaims(): Promise<void> {
    if (this.inFlight.size === 0) return;
    await this.shard.commands.xclaim(this.stream, engineGroup, this.options.engineId, 0, ...this.inFlight, 'JUSTID');
  }

  private async reclaim(): Promise<void> {
    const count = Math.min(this.limit.available, reclaimCount);
    if (count === 0) return;
    const { engineId, redeliverAfterMs } = this.options;
    const { stream, reclaimCursor } = this;
    // oxfmt-ignore
    const [cursor, entries] = await this.shard.commands.reclaim(
      stream, engineGroup, engineId, redeliverAfterMs, count, reclaimCursor,
    );
    this.reclaimCursor = cursor;
    for (const [entryId, text, deliveries] of entries) this.take(entryId, text, deliveries);
  }
}
