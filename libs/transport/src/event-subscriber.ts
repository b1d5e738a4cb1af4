import type { EventEnvelope } from '@spooled/contracts';
import { keys } from './keys.js';
import type { RedisShards } from './redis-shards.js';
import type { TransportLog } from './transport-log.js';

export type EventListener = (events: EventEnvelope[]) => void;

interface Audience {
  listeners: Set<EventListener>;
  leave: () => void;
}

/**
 * Receives live events for the organizations that somebody here listens to: one connection per shard, one subscription
 * per organization however many listeners it has, and each message parsed once.
 */
export class RedisEventSubscriber {
  private readonly audiences = new Map<string, Audience>();

  constructor(
    private readonly shards: RedisShards,
    private readonly log: TransportLog,
  ) {}

  /** False while events may be missed. */
  get connected(): boolean {
    return this.shards.all.every(({ channels }) => channels.connected);
  }

  /** Calls `listener` with the events of one organization until the returned function is called. */
  subscribe(organizationId: string, listener: EventListener): () => void {
    const audience = this.audiences.get(organizationId) ?? this.gather(organizationId);
    audience.listeners.add(listener);
    return () => this.remove(organizationId, audience, listener);
  }

  /** Resolves when the events of an organization that has a listener arrive here, or at once while its Redis is down. */
  ready(organizationId: string): Promise<void> {
    return this.shards.shardOf(organizationId).channels.ready(keys.events(organizationId));
  }

  /** Whether the events of an organization that has a listener arrive here by now. */
  isLive(organizationId: string): boolean {
    return this.shards.shardOf(organizationId).channels.isLive(keys.events(organizationId));
  }

  /** Calls `listener` after each reconnect: events may have been missed before it. */
  onResumed(listener: () => void): () => void {
    const removals = this.shards.all.map(({ channels }) => channels.onResumed(listener));
    return () => removals.forEach((remove) => remove());
  }

  private gather(organizationId: string): Audience {
    const listeners = new Set<EventListener>();
    const { channels } = this.shards.shardOf(organizationId);
    const leave = channels.subscribe(keys.events(organizationId), (message) => this.hand(message, listeners));
    const audience = { listeners, leave };
    this.audiences.set(organizationId, audience);
    return audience;
  }

  private hand(message: string, listeners: Set<EventListener>): void {
    const events = JSON.parse(message) as EventEnvelope[];
    for (const listener of listeners) {
      try {
        listener(events);
      } catch (error) {
        this.log.error({ err: error }, 'An event listener failed');
      }
    }
  }

  private remove(organizationId: string, audience: Audience, listener: EventListener): void {
    if (!audience.listeners.delete(listener) || audience.listeners.size > 0) return;
    this.audiences.delete(organizationId);
    audience.leave();
  }
}
