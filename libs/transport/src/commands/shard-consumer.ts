import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Command, Outcome } from '@spooled/contracts';
import { internalError } from '@spooled/domain';
import { EngineHeartbeat } from './engine-heartbeat.js';
import type { ConcurrencyLimit } from './concurrency-limit.js';
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
  /** An entry that its engine has not refreshed for this long goes to another engine. */
  redeliverAfterMs: number;
  /** An entry delivered more often than this is taken for poison and dropped. */
  maxDeliveries: number;
  /** Told of answers that nobody listens for any more; must not throw. */
  onUndelivered(reply: CommandReply): void;
}

/** Less than the silence after which a peer counts as gone; a clean stop does not wait for its end. */
const blockMs = 2000;
const unblockEveryMs = 20;
const retryAfterErrorMs = 100;
const clockWaitMs = 20;
const reclaimCount = 100;

/** Takes the commands of one shard, keeps them as long as they are in work, and writes their answers. */
export class ShardConsumer {
  private readonly redis: Redis;
  private readonly stream: string;
  private readonly heartbeat: EngineHeartbeat;
  private readonly writer: ReplyWriter;
  private readonly inWork = new Set<string>();
  private readonly log: TransportLog;
  private reading: Promise<void> = Promise.resolve();
  private tending: NodeJS.Timeout | undefined;
  private tendingNow = false;
  private reclaimCursor = '0-0';
  private stopping = false;
  private droppedLate = 0;
  /** What Redis calls the present connection that reads. */
  private readerId: number | undefined;

  constructor(
    private readonly shard: RedisShard,
    private readonly intake: ConcurrencyLimit,
    private readonly run: (command: Command) => Promise<Outcome>,
    private readonly options: ShardConsumerOptions,
  ) {
    this.log = options.log;
    this.redis = shard.open('blocking');
    this.redis.on('ready', () => void this.learnReaderId());
    this.redis.on('close', () => (this.readerId = undefined));
    this.stream = keys.commandStream(shard.name);
    this.heartbeat = new EngineHeartbeat(shard, options.engineId, options.log);
    this.writer = new ReplyWriter(shard, options.log, (reply) => options.onUndelivered(reply));
  }

  start(): void {
    this.heartbeat.start();
    this.reading = this.read();
    this.tending = setInterval(() => void this.tend(), this.options.redeliverAfterMs / 3);
  }

  /** Takes nothing new; what is in work goes on. */
  async stopReading(): Promise<void> {
    this.stopping = true;
    let isOver = false;
    const over = this.reading.then(() => (isOver = true));
    // Again and again: a read that is still on its way to Redis cannot be ended yet.
    while (!isOver) {
      await this.endWait();
      await Promise.race([over, pause(unblockEveryMs)]);
    }
  }

  /** Writes the last answers and leaves the group. */
  async leave(): Promise<void> {
    clearInterval(this.tending);
    this.reportLate();
    await this.writer.flush();
    await this.heartbeat.stop();
    this.redis.disconnect();
  }

  private async learnReaderId(): Promise<void> {
    this.readerId = await this.redis.client('ID').catch(() => undefined);
  }

  /**
   * Redis answers a waiting read as if its time were over, and one that has found entries as usual: none is lost. Where Redis
   * cannot be asked to, or does not allow it, the read ends by itself.
   */
  private async endWait(): Promise<void> {
    if (this.readerId === undefined) return;
    await this.shard.commands.client('UNBLOCK', this.readerId).catch(() => undefined);
  }

  private async read(): Promise<void> {
    while (!this.stopping) {
      await this.intake.acquire();
      if (this.stopping) return;
      // Without the clock of Redis a command that was left from an earlier time would be run late.
      if (this.heartbeat.redisNow() === undefined) {
        await pause(clockWaitMs);
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
    const count = Math.min(this.intake.room, this.options.batchSize);
    if (count === 0) return;
    const { stream } = this;
    // prettier-ignore
    const found = (await this.redis.xreadgroup(
      'GROUP', engineGroup, this.options.engineId, 'COUNT', count, 'BLOCK', blockMs, 'STREAMS', stream, '>',
    )) as [string, [string, string[]][]][] | null;
    for (const [, entries] of found ?? []) for (const [entryId, fields] of entries) this.take(entryId, fields[1]!, 1);
  }

  private async recover(error: Error): Promise<void> {
    // NOGROUP: the first start ever, or Redis came back without its data. UNBLOCKED: the stream went away under a read.
    const groupIsMissing = /^(NOGROUP|UNBLOCKED)/.test(error.message);
    if (groupIsMissing && (await this.createGroup())) return;
    if (!groupIsMissing && this.redis.status === 'ready') {
      this.log.warn({ shard: this.shard.name, err: error }, 'Commands could not be read');
    }
    await pause(retryAfterErrorMs);
  }

  private async createGroup(): Promise<boolean> {
    try {
      // From the very first entry: a command may be waiting already.
      await this.redis.xgroup('CREATE', this.stream, engineGroup, '0', 'MKSTREAM');
      return true;
    } catch (error) {
      if ((error as Error).message.startsWith('BUSYGROUP')) return true;
      if (this.redis.status === 'ready') this.log.warn({ shard: this.shard.name, err: error }, 'No consumer group');
      return false;
    }
  }

  private take(entryId: string, text: string, deliveries: number): void {
    if (this.inWork.has(entryId)) return;
    let message: ReturnType<typeof decodeCommands>;
    try {
      message = decodeCommands(text);
    } catch (error) {
      this.log.error({ shard: this.shard.name, entry_id: entryId, err: error }, 'Dropped an entry that is no command');
      return this.writer.add({ entryId });
    }
    const { commands, replyTo } = message;
    const inTime = commands.filter((command) => !this.isPastDeadline(entryId, command));
    this.droppedLate += commands.length - inTime.length;
    if (inTime.length === 0) return this.writer.add({ entryId });
    if (deliveries > this.options.maxDeliveries) return this.giveUp(entryId, replyTo, inTime, deliveries);
    const redelivered = deliveries > 1 || this.heartbeat.mayHaveLapsedSince(addedAt(entryId));
    for (const command of inTime) Object.assign(command, { delivery: deliveries, ...(redelivered && { redelivered }) });
    void this.work(entryId, replyTo, inTime);
  }

  /** Each command is answered when it ends; the entry is done with when all have ended. */
  private async work(entryId: string, channel: string, commands: Command[]): Promise<void> {
    this.inWork.add(entryId);
    let left = commands.length;
    const runOne = async (command: Command): Promise<void> => {
      this.intake.enter();
      const outcome = await this.run(command);
      const isLast = --left === 0;
      if (isLast) this.inWork.delete(entryId);
      this.writer.add({
        ...(isLast && { entryId }),
        reply: { channel, command, outcome },
      });
      this.intake.leave();
    };
    await Promise.all(commands.map(runOne));
  }

  /** Nobody else would ever end them: engines died over one of them, or it takes longer than they live. */
  private giveUp(entryId: string, channel: string, commands: Command[], deliveries: number): void {
    const outcome: Outcome = { ok: false, error: internalError().toShape() };
    for (const command of commands) {
      const facts = { shard: this.shard.name, command_id: command.id, kind: command.kind, deliveries };
      this.log.error(facts, 'Dropped a command that never came to an end');
      this.writer.add({ reply: { channel, command, outcome } });
    }
    this.writer.add({ entryId });
  }

  private isPastDeadline(entryId: string, command: Command): boolean {
    const now = this.heartbeat.redisNow();
    return now !== undefined && addedAt(entryId) + command.ttlMs <= now;
  }

  /** Keeps what is in work here, and takes over what another engine left lying. */
  private async tend(): Promise<void> {
    this.reportLate();
    if (this.tendingNow || this.shard.commands.status !== 'ready') return;
    this.tendingNow = true;
    try {
      await this.keepOwn();
      if (!this.stopping && this.heartbeat.redisNow() !== undefined) await this.reclaim();
    } catch (error) {
      const isExpected = (error as Error).message.startsWith('NOGROUP') || this.shard.commands.status !== 'ready';
      if (!isExpected) this.log.warn({ shard: this.shard.name, err: error }, 'Commands could not be taken over');
    } finally {
      this.tendingNow = false;
    }
  }

  /** After an outage there may be thousands: they share a line. */
  private reportLate(): void {
    if (this.droppedLate === 0) return;
    this.log.warn({ shard: this.shard.name, commands: this.droppedLate }, 'Dropped commands past their deadline');
    this.droppedLate = 0;
  }

  private async keepOwn(): Promise<void> {
    if (this.inWork.size === 0) return;
    await this.shard.commands.xclaim(this.stream, engineGroup, this.options.engineId, 0, ...this.inWork, 'JUSTID');
  }

  private async reclaim(): Promise<void> {
    const count = Math.min(this.intake.room, reclaimCount);
    if (count === 0) return;
    const { engineId, redeliverAfterMs } = this.options;
    const { stream, reclaimCursor } = this;
    // prettier-ignore
    const [cursor, entries] = await this.shard.commands.reclaim(
      stream, engineGroup, engineId, redeliverAfterMs, count, reclaimCursor,
    );
    this.reclaimCursor = cursor;
    for (const [entryId, text, deliveries] of entries) this.take(entryId, text, deliveries);
  }
}
