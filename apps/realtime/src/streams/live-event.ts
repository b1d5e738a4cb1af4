import { dottedNames, type EventEnvelope, type EventType } from '@spooled/contracts';
import type { EventWithId } from '@spooled/transport';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** An event for any number of streams: parsed once, and written once per format. */
export class LiveEvent {
  readonly type: EventType;
  /** The name in filters and on the `event:` line. */
  readonly name: string;
  readonly queueName: string | undefined;
  readonly jobId: string | undefined;
  readonly workerId: string | undefined;
  private json?: Buffer;
  private named?: Buffer;
  private unnamed?: Buffer;

  /**
   * @param id position in the organization's order; absent for events of this stream only
   * @param source the event as it came, which is sent unchanged
   */
  constructor(
    readonly envelope: EventEnvelope,
    readonly id?: string,
    private readonly source?: string,
  ) {
    const data: Record<string, unknown> = envelope.data;
    this.type = envelope.type;
    this.name = dottedNames[envelope.type] ?? envelope.type;
    this.queueName = textOf(data.queue_name);
    this.jobId = textOf(data.job_id);
    this.workerId = textOf(data.worker_id);
  }

  /** The text frame of a WebSocket. */
  get text(): Buffer {
    return (this.json ??= Buffer.from(this.source ?? JSON.stringify(this.envelope)));
  }

  /** A server-sent event with an `event:` line, for addEventListener. */
  get namedFrame(): Buffer {
    return (this.named ??= Buffer.from(`${this.idLine}event: ${this.name}\ndata: ${this.text.toString()}\n\n`));
  }

  /** A server-sent event without a name, for clients that only handle `message` events. */
  get unnamedFrame(): Buffer {
    return (this.unnamed ??= Buffer.from(`${this.idLine}data: ${this.text.toString()}\n\n`));
  }

  /** Clients return it as Last-Event-ID when they reconnect. */
  private get idLine(): string {
    return this.id === undefined ? '' : `id: ${this.id}\n`;
  }
}

const wrapped = new WeakMap<EventWithId[], LiveEvent[]>();

/** The events of a batch, wrapped once for all streams that get it. */
export function liveEventsOf(batch: EventWithId[]): LiveEvent[] {
  let events = wrapped.get(batch);
  if (!events) {
    events = batch.map(({ envelope, id, text }) => new LiveEvent(envelope, id, text));
    wrapped.set(batch, events);
  }
  return events;
}

const now = (): string => new Date().toISOString();

export const pingEvent = (): LiveEvent => new LiveEvent({ type: 'Ping', data: { timestamp: now() } });

export const errorEvent = (message: string): LiveEvent =>
  new LiveEvent({ type: 'Error', data: { message, timestamp: now() } });

export const healthEvent = (database: boolean, redis: boolean): LiveEvent =>
  new LiveEvent({ type: 'SystemHealth', data: { database, redis, timestamp: now() } });
