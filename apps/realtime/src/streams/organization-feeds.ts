import { Injectable } from '@nestjs/common';
import { RedisEventSubscriber, type EventWithId } from '@spooled/transport';
import { LiveEvent } from './live-event.js';

export type FeedListener = (events: readonly LiveEvent[]) => void;

interface Feed {
  listeners: Set<FeedListener>;
  leave: () => void;
}

/** Hands each organization's live events to its open streams; an event is wrapped once, however many streams read it. */
@Injectable()
export class OrganizationFeeds {
  private readonly feeds = new Map<string, Feed>();

  constructor(private readonly subscriber: RedisEventSubscriber) {}

  /** Calls `listener` with each batch of the organization's events until the returned function is called. */
  follow(organizationId: string, listener: FeedListener): () => void {
    const feed = this.feeds.get(organizationId) ?? this.open(organizationId);
    feed.listeners.add(listener);
    return () => this.unfollow(organizationId, feed, listener);
  }

  /** Resolves when the events of a followed organization arrive here, or at once while Redis is down. Never rejects. */
  ready(organizationId: string): Promise<void> {
    return this.subscriber.ready(organizationId);
  }

  /** Whether events of the organization arrive here by now. */
  isLive(organizationId: string): boolean {
    return this.subscriber.isLive(organizationId);
  }

  /** What was published after an event, as far as it is remembered. @throws Error while Redis is down */
  async since(organizationId: string, lastId: string): Promise<LiveEvent[]> {
    const missed = await this.subscriber.since(organizationId, lastId);
    return missed.map(({ envelope, id }) => new LiveEvent(envelope, id));
  }

  private open(organizationId: string): Feed {
    const listeners = new Set<FeedListener>();
    const hand = (placed: EventWithId[]) => {
      const events = placed.map(({ envelope, id }) => new LiveEvent(envelope, id));
      for (const listener of listeners) listener(events);
    };
    const feed = { listeners, leave: this.subscriber.subscribe(organizationId, hand) };
    this.feeds.set(organizationId, feed);
    return feed;
  }

  private unfollow(organizationId: string, feed: Feed, listener: FeedListener): void {
    if (!feed.listeners.delete(listener) || feed.listeners.size > 0) return;
    this.feeds.delete(organizationId);
    feed.leave();
  }
}
