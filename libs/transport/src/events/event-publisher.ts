import { type EventBatch, type EventPublisher, eventText } from '@spooled/contracts';
import { LRUCache } from 'lru-cache';
import { keys } from '../connection/keys.js';
import type { RedisShard, RedisShards } from '../connection/redis-shards.js';

/** For resumed streams: long enough for a reconnect, short enough to stay small. */
const maxRecentBatches = 500;
export const recentEventsTtlSeconds = 300;
const maxRecentBatchLength = 64 * 1024;
/** In place of a batch that is too large to keep: its id is needed, because streams resume after it. */
export const tooLarge = '';
/**
 * How long an organization without subscribers is skipped. Streams of realtime announce themselves and end that at
 * once; a direct subscriber of the channel may miss events for this long.
 */
const noSubscribersTtlMs = 100;

/**
 * Publishes live events: one message per organization and batch, none without subscribers (serializing them would take
 * a tenth of an engine's CPU time). Events may be lost; the caller never waits.
 */
export class RedisEventPublisher implements EventPublisher {
  /** Organizations without subscribers. */
  private readonly withoutSubscribers = new LRUCache<string, true>({
    // By size: lru-cache reserves memory for `max`.
    maxSize: 10_000,
    sizeCalculation: () => 1,
    ttl: noSubscribersTtlMs,
  });
  /** Counts announcements, to discard results that are older than an announcement. */
  private announcements = 0;

  /** `onDropped` is called with the number of events that could not be published. */
  constructor(
    private readonly shards: RedisShards,
    private readonly onDropped: (events: number) => void = () => undefined,
  ) {
    for (const { channels } of shards.all) {
      channels.subscribe(keys.audiences, (organizationId) => {
        this.announcements++;
        this.withoutSubscribers.delete(organizationId);
      });
    }
  }

  publish(batches: EventBatch[]): void {
    for (const { organizationId, events } of batches) {
      if (events.length === 0) continue;
      const shard = this.shards.shardOf(organizationId);
      // Skipping is safe only while announcements are received.
      if (shard.channels.isSubscribed(keys.audiences) && this.withoutSubscribers.has(organizationId)) continue;
      // Rejects at once while Redis is down, so nothing accumulates.
      this.send(shard, organizationId, `[${events.map(eventText).join(',')}]`).catch(() =>
        this.onDropped(events.length),
      );
    }
  }

  private async send({ commands, isPartition }: RedisShard, organizationId: string, json: string): Promise<void> {
    const announcementsBefore = this.announcements;
    const hasSubscribers = await commands.publishEvents(
      keys.recentEvents(organizationId),
      keys.audience(organizationId),
      keys.events(organizationId),
      json,
      json.length <= maxRecentBatchLength ? json : tooLarge,
      maxRecentBatches,
      recentEventsTtlSeconds,
      isPartition ? 'sharded' : 'plain',
    );
    if (!hasSubscribers && this.announcements === announcementsBefore)
      this.withoutSubscribers.set(organizationId, true);
  }
}
