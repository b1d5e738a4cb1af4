import type { EventEnvelope } from '@spooled/contracts';
import { keptSeconds } from './event-publisher.js';
import { keys } from '../connection/keys.js';
import type { RedisShards } from '../connection/redis-shards.js';
import type { TransportLog } from '../connection/transport-log.js';

/** An event with its place in the organization's order: `<batch>.<number within it>`; ids grow. */
export interface PlacedEvent {
  id: string;
  envelope: EventEnvelope;
}

export type EventListener = (events: PlacedEvent[]) => void;

const eventId = /^(\d{1,15}-\d{1,15})\.(\d{1,9})$/;
/** A client that missed more has to read the state anew. */
const mostResumed = 500;

/** Longer than what was published is remembered, by more than one interval between two notes. */
const audienceTtlMs = keptSeconds * 1000 + 90_000;
const audienceNoteMs = 60_000;

interface Audience {
  listeners: Set<EventListener>;
  leave: () => void;
  /** Resolves when publishers know of the audience, or cannot be told. */
  announced: Promise<void>;
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
  ) {
    setInterval(() => this.noteAll(), audienceNoteMs).unref();
    // A Redis that came back may have forgotten.
    for (const { channels } of shards.all) channels.onResumed(() => this.noteAll());
  }

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
  async ready(organizationId: string): Promise<void> {
    await this.shards.shardOf(organizationId).channels.ready(keys.events(organizationId));
    await this.audiences.get(organizationId)?.announced;
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

  /**
   * What was published after an event, as far as it is remembered (five minutes). Nothing for an id that is not ours.
   * @throws Error when Redis is down
   */
  async since(organizationId: string, lastId: string): Promise<PlacedEvent[]> {
    const [, batch, number] = eventId.exec(lastId) ?? [];
    if (batch === undefined) return [];
    const { commands } = this.shards.shardOf(organizationId);
    const entries = await commands.xrange(keys.recentEvents(organizationId), batch, '+', 'COUNT', mostResumed);
    return entries
      .flatMap(([id, [, json]]) => (json ? place(id, json) : []))
      .filter(({ id }) => !id.startsWith(`${batch}.`) || Number(id.slice(batch.length + 1)) > Number(number));
  }

  private gather(organizationId: string): Audience {
    const listeners = new Set<EventListener>();
    const { channels } = this.shards.shardOf(organizationId);
    const leave = channels.subscribe(keys.events(organizationId), (message) => this.hand(message, listeners));
    const audience = { listeners, leave, announced: this.announce(organizationId) };
    this.audiences.set(organizationId, audience);
    return audience;
  }

  /** Publishers leave out what nobody hears, until they are told. Never rejects: while Redis is down nothing is published either. */
  private async announce(organizationId: string): Promise<void> {
    const { commands } = this.shards.shardOf(organizationId);
    await Promise.all([
      commands.set(keys.audience(organizationId), '1', 'PX', audienceTtlMs),
      commands.publish(keys.audiences, organizationId),
    ]).catch(() => undefined);
  }

  private noteAll(): void {
    for (const organizationId of this.audiences.keys()) void this.announce(organizationId);
  }

  private hand(message: string, listeners: Set<EventListener>): void {
    const split = message.indexOf(' ');
    const events = place(message.slice(0, split), message.slice(split + 1));
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

const place = (batch: string, json: string): PlacedEvent[] =>
  (JSON.parse(json) as EventEnvelope[]).map((envelope, number) => ({ id: `${batch}.${number}`, envelope }));
