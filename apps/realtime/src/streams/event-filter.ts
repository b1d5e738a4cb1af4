import { isDeepStrictEqual } from 'node:util';
import { dottedNames, type EventType, type QueueScope } from '@spooled/contracts';
import type { LiveEvent } from './live-event.js';

/** One subscription of a client; null = any. An event without a requested field does not match. */
export interface Subscription {
  queueName: string | null;
  jobId: string | null;
  workerId: string | null;
  events: EventNames;
}

/** Event names as on the `event:` line; null = all. */
export type EventNames = ReadonlySet<string> | null;

/** Enough for every known client; bounded because each event is matched against each subscription. */
const maxSubscriptions = 500;

/** Event names that clients may use, in lower case: the dotted name, the type, and one that SDKs use. */
const nameAliases = new Map<string, string>([
  ...Object.entries(dottedNames).flatMap(([type, name]): [string, string][] => [
    [type.toLowerCase(), name],
    [name, name],
  ]),
  ['job.status_changed', dottedNames.JobStatusChange],
]);

/** Parses event names in any case. `*` or no name means all; unknown names match nothing. */
export function readEventNames(names: readonly string[]): EventNames {
  const requested = names.map((name) => name.trim().toLowerCase()).filter((name) => name !== '');
  if (requested.length === 0 || requested.includes('*')) return null;
  return new Set(requested.flatMap((name) => nameAliases.get(name) ?? []));
}

/** Whether only unknown events were named: misspelt ones, or those of a newer release. */
export const isNothing = (names: EventNames): boolean => names?.size === 0;

/** Not about jobs or workers: visible to every key. */
const unscopedTypes: ReadonlySet<EventType> = new Set(['SystemHealth', 'Ping', 'Error']);
/** Protocol events, which are never filtered. */
const unfilteredTypes: ReadonlySet<EventType> = new Set(['Ping', 'Error']);

export const queueInScope = (queueName: string, queues: QueueScope): boolean =>
  queues === null || queues.includes(queueName);

/**
 * Whether an event is within a key's scope. Events without a queue could concern any queue, so scoped keys never get
 * them.
 */
export function maySee(event: LiveEvent, queues: QueueScope): boolean {
  if (queues === null) return true;
  if (event.queueName === undefined) return unscopedTypes.has(event.type);
  return queues.includes(event.queueName);
}

const isEverything = (one: Subscription): boolean =>
  one.queueName === null && one.jobId === null && one.workerId === null && one.events === null;

const matches = (one: Subscription, event: LiveEvent): boolean =>
  (one.queueName === null || one.queueName === event.queueName) &&
  (one.jobId === null || one.jobId === event.jobId) &&
  (one.workerId === null || one.workerId === event.workerId) &&
  (one.events === null || one.events.has(event.name));

/**
 * The filter of a stream: subscriptions joined by OR, none = everything (SP-12). The `events` list of the query applies
 * to all of them.
 */
export class EventFilter {
  private subscriptions: Subscription[] = [];

  constructor(private readonly names: EventNames = null) {}

  /** False when the stream has the maximum number of subscriptions. */
  add(subscription: Subscription): boolean {
    if (this.subscriptions.some((one) => isDeepStrictEqual(one, subscription))) return true;
    if (this.subscriptions.length >= maxSubscriptions) return false;
    this.subscriptions.push(subscription);
    return true;
  }

  /** Removes a subscription; one without any field removes all. */
  remove(subscription: Subscription): void {
    const all = isEverything(subscription);
    this.subscriptions = all ? [] : this.subscriptions.filter((one) => !isDeepStrictEqual(one, subscription));
  }

  matches(event: LiveEvent): boolean {
    if (unfilteredTypes.has(event.type)) return true;
    if (this.names !== null && !this.names.has(event.name)) return false;
    return this.subscriptions.length === 0 || this.subscriptions.some((one) => matches(one, event));
  }
}
