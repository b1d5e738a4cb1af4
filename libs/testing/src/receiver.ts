import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedCall {
  path: string;
  method: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Responder = (call: ReceivedCall, response: ServerResponse) => void;

/** An HTTP server that records calls and responds as the test defines; default 200. */
export class Receiver {
  readonly calls: ReceivedCall[] = [];
  respond: Responder = (_call, response) => response.end('thanks');
  private readonly waiting: { count: number; reached: () => void }[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { url = '', method = '', headers } = request;
        this.receive({ path: url, method, headers, body: Buffer.concat(chunks).toString('utf8') }, response);
      });
    });
  }

  static async open(): Promise<Receiver> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new Receiver(server);
  }

  url(path = '/hook'): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** Resolves when `count` calls have been received in total. */
  received(count: number): Promise<void> {
    if (this.calls.length >= count) return Promise.resolve();
    return new Promise((reached) => this.waiting.push({ count, reached }));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private receive(call: ReceivedCall, response: ServerResponse): void {
    this.calls.push(call);
    for (const { count, reached } of this.waiting) if (this.calls.length >= count) reached();
    this.respond(call, response);
  }
}
