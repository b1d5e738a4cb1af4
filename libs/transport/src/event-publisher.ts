import type { EventBatch, EventPublisher } from '@spooled/contracts';
import { keys } from './keys.js';
import type { RedisShards } from './redis-shards.js';

/** For streams that resume: long enough for a reconnect, short enough to stay small. */
const keptBatches = 500;
const keptSeconds = 300;
const largestKept = 64 * 1024;

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
      const json = JSON.stringify(events);
      const kept = json.length <= largestKept ? json : '';
      commands
        .publishEvents(
          keys.recentEvents(organizationId),
          keys.events(organizationId),
          json,
          kept,
          keptBatches,
          keptSeconds,
        )
        .catch(() => this.onDropped(events.length));
    }
  }
}
