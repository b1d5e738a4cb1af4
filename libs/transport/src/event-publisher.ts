import type { EventBatch, EventPublisher } from '@spooled/contracts';
import { keys } from './keys.js';
import type { RedisShards } from './redis-shards.js';

/** Publishes live events: one message per organization and batch. They may be lost; the caller never waits. */
export class RedisEventPublisher implements EventPublisher {
  /** `onDropped` counts events that Redis did not take. */
  constructor(
    private readonly shards: RedisShards,
    private readonly onDropped: (events: number) => void = () => undefined,
  ) {}

  publish(batches: EventBatch[]): void {
    for (const { organizationId, events } of batches) {
      if (events.length === 0) continue;
      const { commands } = this.shards.shardOf(organizationId);
      // Rejects at once while Redis is down, so nothing piles up.
      commands.publish(keys.events(organizationId), JSON.stringify(events)).catch(() => this.onDropped(events.length));
    }
  }
}
