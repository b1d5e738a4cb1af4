import { Injectable } from '@nestjs/common';
import { EventSubscriber, type EventWithId } from '@spooled/transport';
import { LiveEvent } from './live-event.js';

export type FeedListener = (events: readonly LiveEvent[]) => void;

interface Feed {
  listeners: Set<FeedListener>;
  unsubscribe: () => void;
}

/** Dispatches each organization's live events to its open streams; an event is wrapped once for all of them. */
@Injectable()
export class OrganizationFeeds {
  private readonly feeds = new Map<string, Feed>();

  constructor(private readonly subscriber: EventSubscriber) {}

  /** Calls `listener` with each batch of the organization's events until the returned function is called. */
  follow(organizationId: string, listener: FeedListener): () => void {
    const feed = this.feeds.get(organizationId) ?? this.open(organizationId);
    feed.listeners.add(listener);
    return () => this.unfollow(organizationId, feed, listener);
  }

  /** Resolves when the organization's subscription is active, or at once while Redis is down. Never rejects. */
  ready(organizationId: string): Promise<void> {
    return this.subscriber.ready(organizationId);
  }

  /** Whether the organization's subscription is active. */
  isSubscribed(organizationId: string): boolean {
    return this.subscriber.isSubscribed(organizationId);
  }

  /** Events published after an event, as far as they are kept. @throws Error while Redis is down */
  async since(organizationId: string, lastId: string): Promise<LiveEvent[]> {
    const missed = await this.subscriber.since(organizationId, lastId);
    return missed.map(({ envelope, id, text }) => new LiveEvent(envelope, id, text));
  }

  private open(organizationId: string): Feed {
    const listeners = new Set<FeedListener>();
    const dispatch = (eventsWithId: EventWithId[]) => {
      const events = eventsWithId.map(({ envelope, id, text }) => new LiveEvent(envelope, id, text));
      for (const listener of listeners) listener(events);
    };
    const feed = { listeners, unsubscribe: this.subscriber.subscribe(organizationId, dispatch) };
    this.feeds.set(organizationId, feed);
    return feed;
  }

  private unfollow(organizationId: string, feed: Feed, listener: FeedListener): void {
    if (!feed.listeners.delete(listener) || feed.listeners.size > 0) return;
    this.feeds.delete(organizationId);
    feed.unsubscribe();
  }
}
