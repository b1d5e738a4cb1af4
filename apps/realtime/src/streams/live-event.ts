import { dottedNames, type EventEnvelope, type EventType } from '@spooled/contracts';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** One event on its way to any number of streams: looked into once, and written out once per form that is asked for. */
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

  /** @param id the event's place in the organization's order; absent for what only this stream is told */
  constructor(
    readonly envelope: EventEnvelope,
    readonly id?: string,
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
    return (this.json ??= Buffer.from(JSON.stringify(this.envelope)));
  }

  /** A server-sent event with its `event:` line: for addEventListener, PHP, and the documents. */
  get namedFrame(): Buffer {
    return (this.named ??= Buffer.from(`${this.idLine}event: ${this.name}\ndata: ${this.text.toString()}\n\n`));
  }

  /** A server-sent event without a name: for clients that only listen to `message`. */
  get unnamedFrame(): Buffer {
    return (this.unnamed ??= Buffer.from(`${this.idLine}data: ${this.text.toString()}\n\n`));
  }

  /** Clients send it back as Last-Event-ID when they come again. */
  private get idLine(): string {
    return this.id === undefined ? '' : `id: ${this.id}\n`;
  }
}

const now = (): string => new Date().toISOString();

export const pingEvent = (): LiveEvent => new LiveEvent({ type: 'Ping', data: { timestamp: now() } });

export const errorEvent = (message: string): LiveEvent =>
  new LiveEvent({ type: 'Error', data: { message, timestamp: now() } });

export const healthEvent = (database: boolean, redis: boolean): LiveEvent =>
  new LiveEvent({ type: 'SystemHealth', data: { database, redis, timestamp: now() } });
