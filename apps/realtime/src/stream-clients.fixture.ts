import { once } from 'node:events';
import { WebSocket, type ClientOptions } from 'ws';

/** A queue of received values; `next` waits for the first unread one. */
class AsyncQueue<T> {
  private readonly values: T[] = [];
  private readonly waiting: ((value: T) => void)[] = [];

  add(value: T): void {
    const first = this.waiting.shift();
    if (first) first(value);
    else this.values.push(value);
  }

  next(): Promise<T> {
    const first = this.values.shift();
    return first !== undefined ? Promise.resolve(first) : new Promise((resolve) => this.waiting.push(resolve));
  }
}

export interface Envelope {
  type: string;
  data: Record<string, unknown>;
  [more: string]: unknown;
}

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly headers: Record<string, unknown>,
    readonly body: Record<string, unknown>,
  ) {
    super(`refused with ${status}`);
  }
}

export class WebSocketClient {
  readonly closed: Promise<{ code: number; reason: string }>;
  private readonly messages = new AsyncQueue<Envelope>();

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data, isBinary) => this.messages.add(isBinary ? null! : JSON.parse(data.toString())));
    this.closed = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }));
    this.closed.catch(() => undefined);
  }

  /** Opens a socket and reads the initial Ping. Rejects with `Refused` when there was no upgrade. */
  static async open(baseUrl: string, query = '', options: ClientOptions = {}): Promise<WebSocketClient> {
    const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/ws${query}`, options);
    const client = new WebSocketClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.on('error', reject);
      socket.once('unexpected-response', (_request, response) => {
        let text = '';
        response.on('data', (chunk) => (text += String(chunk)));
        response.on('end', () => reject(new Refused(response.statusCode!, response.headers, JSON.parse(text))));
      });
    });
    expect((await client.next()).type).toBe('Ping');
    return client;
  }

  send(command: unknown): void {
    this.socket.send(typeof command === 'string' ? command : JSON.stringify(command));
  }

  next(): Promise<Envelope> {
    return this.messages.next();
  }

  /** Sends a command without a reply, and returns once the server has read it. */
  async command(command: unknown): Promise<void> {
    this.send(command);
    this.send({ cmd: 'Ping' });
    expect((await this.next()).type).toBe('Ping');
  }

  close(): void {
    this.socket.close();
  }
}

export interface Frame {
  event?: string;
  comment?: string;
  data?: Envelope;
}

const ended = { comment: 'ended' };

export class EventStreamClient {
  private readonly frames = new AsyncQueue<Frame>();
  /** The Last-Event-ID for a reconnect. */
  lastEventId: string | undefined;

  private constructor(
    readonly response: Response,
    private readonly abort: AbortController,
  ) {
    void this.read();
  }

  /** Rejects with `Refused` unless the status is 200. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<EventStreamClient> {
    const abort = new AbortController();
    const response = await fetch(url, { headers, signal: abort.signal });
    if (response.status !== 200) {
      const body = (await response.json()) as Record<string, unknown>;
      throw new Refused(response.status, Object.fromEntries(response.headers), body);
    }
    const client = new EventStreamClient(response, abort);
    expect(await client.next()).toEqual({ comment: 'connected' });
    return client;
  }

  /** The next frame; `{ comment: 'ended' }` at the end of the stream. */
  next(): Promise<Frame> {
    return this.frames.next();
  }

  /** The next frame other than SystemHealth, which a stream of events may get at any time. */
  async nextOther(): Promise<Frame> {
    for (;;) {
      const frame = await this.next();
      if (frame.data?.type !== 'SystemHealth') return frame;
    }
  }

  /** The next event other than SystemHealth. */
  async nextEvent(): Promise<Envelope> {
    const frame = await this.nextOther();
    if (!frame.data) throw new Error(`no event but ${JSON.stringify(frame)}`);
    return frame.data;
  }

  close(): void {
    this.abort.abort();
  }

  private async read(): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of this.response.body!) {
        const parts = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
        text = parts.pop()!;
        for (const part of parts) {
          this.lastEventId = /^id: (.*)$/m.exec(part)?.[1] ?? this.lastEventId;
          this.frames.add(parse(part));
        }
      }
    } catch {
      // Aborted by the client or the server.
    }
    this.frames.add(ended);
  }
}

function parse(frame: string): Frame {
  const read: Frame = {};
  for (const line of frame.split('\n')) {
    if (line.startsWith(': ')) read.comment = line.slice(2);
    if (line.startsWith('event: ')) read.event = line.slice(7);
    if (line.startsWith('data: ')) read.data = JSON.parse(line.slice(6)) as Envelope;
  }
  return read;
}
