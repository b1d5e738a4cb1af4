import { dottedNames, type EventType, type QueueScope } from '@spooled/contracts';
import type { LiveEvent } from './live-event.js';

/** One thing that a client asked to see; null = any. An event that lacks what is asked for does not match. */
export interface Subscription {
  queueName: string | null;
  jobId: string | null;
  workerId: string | null;
  events: EventNames;
}

/** Event names as on the `event:` line; null = all. */
export type EventNames = ReadonlySet<string> | null;

/** Enough for every client seen; a bound, because each event is held against each subscription. */
const maxSubscriptions = 500;

/** Names by which clients may ask for events, in lower case: the dotted name, the type, and one that SDKs use. */
const namesAskedFor = new Map<string, string>([
  ...Object.entries(dottedNames).flatMap(([type, name]): [string, string][] => [
    [type.toLowerCase(), name],
    [name, name],
  ]),
  ['job.status_changed', dottedNames.JobStatusChange],
]);

/** Reads event names in any case. `*`, or no name at all, means all of them; unknown names match nothing. */
export function readEventNames(names: readonly string[]): EventNames {
  const asked = names.map((name) => name.trim().toLowerCase()).filter((name) => name !== '');
  if (asked.length === 0 || asked.includes('*')) return null;
  return new Set(asked.flatMap((name) => namesAskedFor.get(name) ?? []));
}

/** Not about jobs or workers: of use to every key, however narrow. */
const unscopedTypes: ReadonlySet<EventType> = new Set(['SystemHealth', 'Ping', 'Error']);
/** Part of the conversation itself, so that no filter keeps them away. */
const unfilteredTypes: ReadonlySet<EventType> = new Set(['Ping', 'Error']);

export const queueInScope = (queueName: string, queues: QueueScope): boolean =>
  queues === null || queues.includes(queueName);

/** Whether a key may see an event. What names no queue could be about any queue, so scoped keys never see it. */
export function maySee(event: LiveEvent, queues: QueueScope): boolean {
  if (queues === null) return true;
  if (event.queueName === undefined) return unscopedTypes.has(event.type);
  return queues.includes(event.queueName);
}

const isEverything = (one: Subscription): boolean =>
  one.queueName === null && one.jobId === null && one.workerId === null && one.events === null;

const sameNames = (a: EventNames, b: EventNames): boolean =>
  a === b || (a !== null && b !== null && a.size === b.size && [...a].every((name) => b.has(name)));

const same = (a: Subscription, b: Subscription): boolean =>
  a.queueName === b.queueName && a.jobId === b.jobId && a.workerId === b.workerId && sameNames(a.events, b.events);

const wants = (one: Subscription, event: LiveEvent): boolean =>
  (one.queueName === null || one.queueName === event.queueName) &&
  (one.jobId === null || one.jobId === event.jobId) &&
  (one.workerId === null || one.workerId === event.workerId) &&
  (one.events === null || one.events.has(event.name));

/**
 * What one stream wants to see: subscriptions joined by OR, none = everything (SP-12). The `events` list of the query
 * holds for all of them.
 */
export class EventFilter {
  private subscriptions: Subscription[] = [];

  constructor(private readonly names: EventNames = null) {}

  /** False when the stream has too many subscriptions already. */
  add(subscription: Subscription): boolean {
    if (this.subscriptions.some((one) => same(one, subscription))) return true;
    if (this.subscriptions.length >= maxSubscriptions) return false;
    this.subscriptions.push(subscription);
    return true;
  }

  /** Takes back one subscription; one without any field takes back all. */
  remove(subscription: Subscription): void {
    const all = isEverything(subscription);
    this.subscriptions = all ? [] : this.subscriptions.filter((one) => !same(one, subscription));
  }

  wants(event: LiveEvent): boolean {
    if (unfilteredTypes.has(event.type)) return true;
    if (this.names !== null && !this.names.has(event.name)) return false;
    return this.subscriptions.length === 0 || this.subscriptions.some((one) => wants(one, event));
  }
}
