import type { Command, Outcome } from '@spooled/contracts';
import { keys } from '../connection/keys.js';
import type { RedisShard } from '../connection/redis-shards.js';
import { engineGroup } from './shard-monitor.js';
import type { TransportLog } from '../connection/transport-log.js';
import { encodeReply, grantedJobs, joinReplies } from './wire.js';

export interface CommandReply {
  channel: string;
  command: Command;
  outcome: Outcome;
}

/** An answer, where somebody waits for one, and the entry, when all its commands are done with. */
export interface AcknowledgedReply {
  entryId?: string;
  reply?: CommandReply;
}

/** Above this an answer is stored and only announced: Redis cuts subscribers off whose unread messages pass 32 MB. */
const largestPublishedReply = 64 * 1024;
const storedReplyTtlMs = 30_000;

/** Collects the entries that settle in one turn of the event loop: one message per caller, one XACK, one XDEL. */
export class ReplyWriter {
  private settled: AcknowledgedReply[] = [];
  private flushing: Promise<void> = Promise.resolve();
  private scheduled = false;

  constructor(
    private readonly shard: RedisShard,
    private readonly log: TransportLog,
    /** Told of answers whose channel nobody listens to; must not throw. */
    private readonly onUndelivered: (reply: CommandReply) => void,
  ) {}

  add(one: AcknowledgedReply): void {
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

  /** In one transaction of Redis: a command whose answer was published is not delivered again. */
  private async write(batch: AcknowledgedReply[]): Promise<void> {
    const stream = keys.commandStream(this.shard.name);
    const entryIds = batch.flatMap(({ entryId }) => entryId ?? []);
    const encoded = batch.flatMap(({ reply }) => (reply ? [encode(reply)] : []));
    const large = encoded.filter(({ storedAt }) => storedAt !== undefined);
    const channels = [...Map.groupBy(encoded, ({ reply }) => reply.channel)];
    const transaction = this.shard.commands.multi();
    for (const { reply, storedAt } of large) {
      transaction.set(storedAt!, JSON.stringify(reply.outcome), 'PX', storedReplyTtlMs);
    }
    for (const [channel, replies] of channels)
      transaction.publish(channel, joinReplies(replies.map(({ text }) => text)));
    if (entryIds.length > 0) transaction.xack(stream, engineGroup, ...entryIds).xdel(stream, ...entryIds);
    try {
      const results = (await transaction.exec()) ?? [];
      const failure = results.find(([error]) => error)?.[0];
      if (failure) throw failure;
      channels.forEach(([, replies], i) => {
        const listeners = results[large.length + i]?.[1];
        if (listeners === 0) for (const { reply } of replies) this.onUndelivered(reply);
      });
    } catch (error) {
      // The work is committed; entries that stay behind are delivered again and find their own rows.
      this.log.warn(
        { shard: this.shard.name, entries: batch.length, err: error },
        'Answers could not be written to Redis',
      );
    }
  }
}

interface EncodedReply {
  reply: CommandReply;
  text: string;
  /** The key of an answer that is too large to be published. */
  storedAt?: string;
}

function encode(reply: CommandReply): EncodedReply {
  const { channel, command, outcome } = reply;
  const organization = grantedJobs(command.kind, outcome) ? [command.organizationId] : [];
  const text = encodeReply(command.id, outcome, ...organization);
  if (text.length <= largestPublishedReply) return { reply, text };
  const storedAt = keys.largeReply(channel, command.id);
  return { reply, text: encodeReply(command.id, { storedAt }, ...organization), storedAt };
}
