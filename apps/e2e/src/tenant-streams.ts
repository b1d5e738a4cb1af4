import { once } from 'node:events';
import { eventually } from '@spooled/testing';
import WebSocket from 'ws';

/** A WebSocket of live events; `text` is everything that it has received. */
export class TenantSocket {
  text = '';
  private pongs = 0;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.text += `${data.toString()}\n`;
    });
    socket.on('pong', () => this.pongs++);
  }

  /** Resolves when events are received, which the first message says. */
  static async open(baseUrl: string, key: string, query = ''): Promise<TenantSocket> {
    const headers = { authorization: `Bearer ${key}` };
    const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/api/v1/ws${query}`, { headers });
    const opened = new TenantSocket(socket);
    await once(socket, 'message');
    return opened;
  }

  send(command: object): void {
    this.socket.send(JSON.stringify(command));
  }

  /** Resolves when the server has handled everything that was sent before. */
  async ping(): Promise<void> {
    const before = this.pongs;
    this.socket.ping();
    await eventually(() => expect(this.pongs).toBeGreaterThan(before));
  }

  close(): void {
    this.socket.terminate();
  }
}

/** The text of a stream of server-sent events so far. */
export interface SseText {
  readonly text: string;
  close(): void;
}

/** Resolves when the stream is open. */
export async function openSse(url: string, key: string, lastEventId?: string): Promise<SseText> {
  const abort = new AbortController();
  const headers = { authorization: `Bearer ${key}`, ...(lastEventId && { 'last-event-id': lastEventId }) };
  const response = await fetch(url, { headers, signal: abort.signal });
  expect([url, response.status]).toEqual([url, 200]);
  const stream = { text: '', close: () => abort.abort() };
  const read = async () => {
    for await (const chunk of response.body!) stream.text += Buffer.from(chunk).toString();
  };
  // It ends with the test.
  read().catch(() => undefined);
  return stream;
}
