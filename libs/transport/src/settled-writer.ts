import type { Outcome } from '@spooled/contracts';
import { keys } from './keys.js';
import type { RedisShard } from './redis-shards.js';
import { engineGroup } from './shard-monitor.js';
import type { TransportLog } from './transport-log.js';
import { encodeReply, joinReplies } from './wire.js';

/** An answer, where somebody waits for one, and the entry, when all its commands are done with. */
export interface Settled {
  entryId?: string;
  reply?: { channel: string; commandId: string; outcome: Outcome };
}

/** Above this an answer is stored and only announced: Redis cuts subscribers off whose unread messages pass 32 MB. */
const largestPublishedReply = 64 * 1024;
const storedReplyTtlMs = 30_000;

/** Collects the entries that settle in one turn of the event loop: one message per caller, one XACK, one XDEL. */
export class SettledWriter {
  private settled: Settled[] = [];
  private flushing: Promise<void> = Promise.resolve();
  private scheduled = false;

  constructor(
    private readonly shard: RedisShard,
    private readonly log: TransportLog,
  ) {}

  add(one: Settled): void {
    this.settled.push(one);
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => void this.flush());
  }

  /** Resolves when everything added before has reached Redis or failed to; never rejects. */
  async flush(): Promise<void> {
    this.scheduled = false;
    const batch = this.settled;
    this.settled = [];
    const earlier = this.flushing;
    if (batch.length > 0) this.flushing = Promise.all([earlier, this.write(batch)]).then(() => undefined);
    await this.flushing;
  }

  private async write(batch: Settled[]): Promise<void> {
    const stream = keys.commandStream(this.shard.name);
    const entryIds = batch.flatMap(({ entryId }) => entryId ?? []);
    const pipeline = this.shard.commands.pipeline();
    for (const [channel, replies] of this.repliesByChannel(batch, pipeline)) {
      pipeline.publish(channel, joinReplies(replies));
    }
    if (entryIds.length > 0) pipeline.xack(stream, engineGroup, ...entryIds).xdel(stream, ...entryIds);
    try {
      const results = await pipeline.exec();
      const failure = results?.find(([error]) => error)?.[0];
      if (failure) throw failure;
    } catch (error) {
      // The work is committed; entries that stay behind are delivered again and find their own rows.
      this.log.warn(
        { shard: this.shard.name, entries: batch.length, err: error },
        'Answers could not be written to Redis',
      );
    }
  }

  private repliesByChannel(batch: Settled[], pipeline: ReturnType<RedisShard['commands']['pipeline']>) {
    const byChannel = new Map<string, string[]>();
    for (const { reply } of batch) {
      if (!reply) continue;
      let text = encodeReply(reply.commandId, reply.outcome);
      if (text.length > largestPublishedReply) {
        const storedAt = keys.largeReply(reply.channel, reply.commandId);
        pipeline.set(storedAt, JSON.stringify(reply.outcome), 'PX', storedReplyTtlMs);
        text = encodeReply(reply.commandId, { storedAt });
      }
      const replies = byChannel.get(reply.channel);
      if (replies) replies.push(text);
      else byChannel.set(reply.channel, [text]);
    }
    return byChannel;
  }
}
