import type { Command, Outcome } from '@spooled/contracts';
import { MicroBatcher } from '@spooled/domain';
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

/** A response, if a caller waits for one, and the entry to acknowledge when all its commands are finished. */
export interface AcknowledgedReply {
  entryId?: string;
  reply?: CommandReply;
}

/** Larger responses are stored and only announced: Redis disconnects subscribers with more than 32 MB of unread messages. */
const largestPublishedReply = 64 * 1024;
const storedReplyTtlMs = 30_000;
/** Subscribers check every second whether their server is still the primary. */
const resubscribeMs = 3000;

/** Collects the replies of one event-loop turn: one message per caller, one XACK, one XDEL. */
export class ReplyWriter {
  private readonly batcher = new MicroBatcher<AcknowledgedReply>((batch) => this.begin(batch));
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly shard: RedisShard,
    private readonly log: TransportLog,
    /** Called with replies whose channel has no subscriber; must not throw. */
    private readonly onUndelivered: (reply: CommandReply) => void,
  ) {}

  add(one: AcknowledgedReply): void {
    this.batcher.add(one);
  }

  /** Resolves when everything added so far was written or failed; never rejects. */
  flush(): Promise<void> {
    this.batcher.flush();
    return this.writing;
  }

  private begin(batch: AcknowledgedReply[]): void {
    this.writing = Promise.all([this.writing, this.write(batch)]).then(() => undefined);
  }

  /** In one Redis transaction: a command whose response was published is not redelivered. */
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
    for (const [channel, replies] of channels) {
      this.shard.publishIn(transaction, channel, joinReplies(replies.map(({ text }) => text)));
    }
    if (entryIds.length > 0) transaction.xack(stream, engineGroup, ...entryIds).xdel(stream, ...entryIds);
    try {
      const results = (await transaction.exec()) ?? [];
      const failure = results.find(([error]) => error)?.[0];
      if (failure) throw failure;
      channels.forEach(([channel, replies], i) => {
        const subscribers = results[large.length + i]?.[1];
        if (subscribers === 0) void this.reportUndelivered(channel, replies);
      });
    } catch (error) {
      // The work is committed; unacknowledged entries are redelivered and recognize their own rows.
      const facts = { shard: this.shard.name, entries: batch.length, err: error };
      this.log.warn(facts, 'Failed to write responses to Redis');
    }
  }

  /**
   * In a cluster, a planned failover leaves subscribers at the old primary until they notice: they get the message, but
   * are not counted. A caller that is not subscribed then either has stopped, or has lost its connection and runs its
   * commands itself. At a stop of this engine within that time, the leases of a stopped caller expire instead.
   */
  private async reportUndelivered(channel: string, replies: EncodedReply[]): Promise<void> {
    if (this.shard.isPartition) {
      await new Promise<void>((resolve) => this.shard.clock.after(resubscribeMs, resolve).unref());
      // If it cannot be determined, the leases expire.
      if (await this.shard.hasSubscribers(channel).catch(() => true)) return;
    }
    for (const { reply } of replies) this.onUndelivered(reply);
  }
}

interface EncodedReply {
  reply: CommandReply;
  text: string;
  /** Key of a response that is too large to publish. */
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
