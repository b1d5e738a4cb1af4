import { elementTexts, type EventEnvelope } from '@spooled/contracts';
import { recentEventsTtlSeconds, tooLarge } from './event-publisher.js';
import { keys } from '../connection/keys.js';
import type { RedisShards } from '../connection/redis-shards.js';
import type { TransportLog } from '../connection/transport-log.js';

/** An event with its id in the organization's order: `<batch>.<number within it>`; ids increase. */
export interface EventWithId {
  id: string;
  /** Parsed, so numbers are doubles. */
  envelope: EventEnvelope;
  /** As it came. */
  text: string;
}

export type EventListener = (events: EventWithId[]) => void;

const eventId = /^(\d{1,15}-\d{1,15})\.(\d{1,9})$/;
/** A client that missed more must read the state again. */
const maxResumedBatches = 500;
/**
 * Characters of the batches that a resumed stream gets: less than it may leave unsent, or it would be closed and resume again, and little
 * enough to be parsed in one turn of the event loop.
 */
const maxResumedLength = 512 * 1024;
const batchesPerRead = 20;

/** Longer than recent events are kept, by more than one announcement interval. */
const announcementTtlMs = recentEventsTtlSeconds * 1000 + 90_000;
const announcementIntervalMs = 60_000;

interface OrganizationSubscription {
  listeners: Set<EventListener>;
  unsubscribe: () => void;
  /** Resolves when publishers were notified, or cannot be. */
  announced: Promise<void>;
}

/** Receives live events; also the injection token. */
export abstract class EventSubscriber {
  /** Calls `listener` with the events of one organization until the returned function is called. */
  abstract subscribe(organizationId: string, listener: EventListener): () => void;
  /** Resolves when the organization's subscription is active, or at once while its Redis is down. */
  abstract ready(organizationId: string): Promise<void>;
  /** Whether the organization's subscription is active. */
  abstract isSubscribed(organizationId: string): boolean;
  /**
   * Events published after an event, as far as they are kept (5 min), the newest 512 KB. None for an unknown id.
   * @throws Error when Redis is down
   */
  abstract since(organizationId: string, lastId: string): Promise<EventWithId[]>;
}

/**
 * Receives live events for organizations with local listeners: one connection per shard, one subscription per
 * organization, each message parsed once.
 */
export class RedisEventSubscriber extends EventSubscriber {
  private readonly subscriptions = new Map<string, OrganizationSubscription>();

  constructor(
    private readonly shards: RedisShards,
    private readonly log: TransportLog,
  ) {
    super();
    shards.clock.every(announcementIntervalMs, () => this.announceAll()).unref();
    // Redis may have lost the announcements.
    for (const { channels } of shards.all) channels.onResumed(() => this.announceAll());
  }

  subscribe(organizationId: string, listener: EventListener): () => void {
    const subscription = this.subscriptions.get(organizationId) ?? this.open(organizationId);
    subscription.listeners.add(listener);
    return () => this.remove(organizationId, subscription, listener);
  }

  async ready(organizationId: string): Promise<void> {
    await this.shards.shardOf(organizationId).channels.ready(keys.events(organizationId));
    await this.subscriptions.get(organizationId)?.announced;
  }

  isSubscribed(organizationId: string): boolean {
    return this.shards.shardOf(organizationId).channels.isSubscribed(keys.events(organizationId));
  }

  async since(organizationId: string, lastId: string): Promise<EventWithId[]> {
    const [, batch, number] = eventId.exec(lastId) ?? [];
    if (batch === undefined) return [];
    return (await this.newestSince(organizationId, batch))
      .flatMap(([id, json]) => withIds(id, json))
      .filter(({ id }) => !id.startsWith(`${batch}.`) || Number(id.slice(batch.length + 1)) > Number(number));
  }

  /** The newest batches from this one on, oldest first, as far as they fit. */
  private async newestSince(organizationId: string, first: string): Promise<[id: string, json: string][]> {
    const { commands } = this.shards.shardOf(organizationId);
    const found: [id: string, json: string][] = [];
    let length = 0;
    for (let end = '+'; found.length < maxResumedBatches; end = `(${found.at(-1)![0]}`) {
      const key = keys.recentEvents(organizationId);
      const entries = await commands.xrevrange(key, end, first, 'COUNT', batchesPerRead);
      for (const [id, [, json = tooLarge]] of entries) {
        length += json.length;
        if (length > maxResumedLength) return found.reverse();
        found.push([id, json]);
      }
      if (entries.length < batchesPerRead) break;
    }
    return found.reverse();
  }

  private open(organizationId: string): OrganizationSubscription {
    const listeners = new Set<EventListener>();
    const { channels } = this.shards.shardOf(organizationId);
    const unsubscribe = channels.subscribe(keys.events(organizationId), (message) => this.dispatch(message, listeners));
    const subscription = { listeners, unsubscribe, announced: this.announce(organizationId) };
    this.subscriptions.set(organizationId, subscription);
    return subscription;
  }

  /**
   * Publishers skip organizations without subscribers until they are announced. Never rejects: while Redis is down
   * nothing is published either.
   */
  private async announce(organizationId: string): Promise<void> {
    const shard = this.shards.shardOf(organizationId);
    await Promise.all([
      shard.commands.set(keys.audience(organizationId), '1', 'PX', announcementTtlMs),
      shard.publish(keys.audiences, organizationId),
    ]).catch(() => undefined);
  }

  private announceAll(): void {
    for (const organizationId of this.subscriptions.keys()) void this.announce(organizationId);
  }

  private dispatch(message: string, listeners: Set<EventListener>): void {
    const split = message.indexOf(' ');
    const events = withIds(message.slice(0, split), message.slice(split + 1));
    for (const listener of listeners) {
      try {
        listener(events);
      } catch (error) {
        this.log.error({ err: error }, 'An event listener failed');
      }
    }
  }

  private remove(organizationId: string, subscription: OrganizationSubscription, listener: EventListener): void {
    if (!subscription.listeners.delete(listener) || subscription.listeners.size > 0) return;
    this.subscriptions.delete(organizationId);
    subscription.unsubscribe();
  }
}

function withIds(batch: string, json: string): EventWithId[] {
  if (json === tooLarge) return [];
  const texts = elementTexts(json);
  return (JSON.parse(json) as EventEnvelope[]).map((envelope, number) => ({
    id: `${batch}.${number}`,
    envelope,
    text: texts[number]!,
  }));
}
