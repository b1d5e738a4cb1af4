import type { EventBatch, EventPublisher } from '@spooled/contracts';
import { LRUCache } from 'lru-cache';
import { keys } from '../connection/keys.js';
import type { RedisShard, RedisShards } from '../connection/redis-shards.js';

/** For streams that resume: long enough for a reconnect, short enough to stay small. */
const keptBatches = 500;
export const keptSeconds = 300;
const largestKept = 64 * 1024;
/**
 * For how long an organization that nobody listens to is not asked about again. Our own streams announce themselves and end that at
 * once; somebody who subscribes to the channel by himself may miss as much.
 */
const unheardMs = 100;

/**
 * Publishes live events: one message per organization and batch, none while nobody listens (as JSON they would be a tenth of
 * an engine's time). They may be lost; the caller never waits.
 */
export class RedisEventPublisher implements EventPublisher {
  /** Organizations without an audience. */
  private readonly unheard = new LRUCache<string, true>({ max: 10_000, ttl: unheardMs });
  /** Counts announcements: an answer from before one says nothing about what came after it. */
  private announcements = 0;

  /** `onDropped` counts events that Redis did not take. */
  constructor(
    private readonly shards: RedisShards,
    private readonly onDropped: (events: number) => void = () => undefined,
  ) {
    for (const { channels } of shards.all) {
      channels.subscribe(keys.audiences, (organizationId) => {
        this.announcements++;
        this.unheard.delete(organizationId);
      });
    }
  }

  publish(batches: EventBatch[]): void {
    for (const { organizationId, events } of batches) {
      if (events.length === 0) continue;
      const shard = this.shards.shardOf(organizationId);
      // Without the announcements nobody could say that there is still no audience.
      if (shard.channels.isLive(keys.audiences) && this.unheard.has(organizationId)) continue;
      // Rejects at once while Redis is down, so nothing piles up.
      this.send(shard, organizationId, JSON.stringify(events)).catch(() => this.onDropped(events.length));
    }
  }

  private async send({ commands }: RedisShard, organizationId: string, json: string): Promise<void> {
    const before = this.announcements;
    const isHeard = await commands.publishEvents(
      keys.recentEvents(organizationId),
      keys.audience(organizationId),
      keys.events(organizationId),
      json,
      json.length <= largestKept ? json : '',
      keptBatches,
      keptSeconds,
    );
    if (!isHeard && this.announcements === before) this.unheard.set(organizationId, true);
  }
}
