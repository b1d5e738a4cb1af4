import type { ProxyTrust } from '@spooled/domain';
import { newId, type AppLogger } from '@spooled/platform';
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { forwardedHeaders } from './forwarded-headers.js';

interface TunnelOptions {
  path: string;
  /** Absent if the realtime service is not reached through the gateway. */
  upstream?: string;
  trust: ProxyTrust;
  /** After so long without progress the connection of a client is closed that does not read. */
  unreadMs: number;
  logger: AppLogger;
  /** Headers of responses that are not the realtime service's. */
  headers(): Record<string, string | number>;
}

const realtime = 'The realtime service';

/**
 * Forwards WebSockets to the realtime service. The service answers the handshake, so an invalid credential is an HTTP 401 before the
 * upgrade; afterwards both sockets are piped without reading frames.
 */
export class WebSocketTunnel {
  private readonly open = new Set<Duplex>();

  constructor(private readonly options: TunnelOptions) {}

  attach(server: Server): void {
    server.on('upgrade', (request, socket, head) => this.forward(request, socket, head));
  }

  /** Closes every tunnel; clients reconnect to another gateway. */
  close(): void {
    for (const socket of this.open) socket.destroy();
  }

  private forward(request: IncomingMessage, client: Duplex, head: Buffer): void {
    const { path, upstream, trust, logger } = this.options;
    client.on('error', () => client.destroy());
    // It may keep its half open, and no time limit of the server applies to what it has handed over.
    client.once('finish', () => client.destroy());
    if (!upstream || request.url?.split('?', 1)[0] !== path) {
      return this.refuse(client, 404, { code: 'NOT_FOUND', message: 'Route not found' });
    }
    const url = new URL(request.url, upstream);
    const requestId = [request.headers['x-request-id']].flat()[0] ?? newId();
    const remoteAddress = request.socket.remoteAddress ?? '';
    const headers = {
      ...request.headers,
      ...forwardedHeaders({ headers: request.headers, remoteAddress, requestId }, trust),
    };
    const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, { headers: defined(headers) });
    outgoing.on('upgrade', (response, service, rest) => {
      client.write(headOf(response));
      if (rest.length > 0) client.write(rest);
      if (head.length > 0) service.write(head);
      this.pipe(client, service);
    });
    outgoing.on('response', (response) => relay(response, client));
    outgoing.on('error', (err) => {
      logger.warn({ err, dependency: realtime }, `${realtime} is unavailable`);
      this.refuse(client, 503, { code: 'SERVICE_UNAVAILABLE', message: `${realtime} is unavailable` });
    });
    client.on('close', () => outgoing.destroy());
    outgoing.end();
  }

  private pipe(client: Duplex, service: Duplex): void {
    this.open.add(client);
    client.on('close', () => {
      this.open.delete(client);
      service.destroy();
    });
    service.on('error', () => client.destroy());
    service.on('close', () => client.destroy());
    // The service closes slow clients itself, but this process learns of it only when it can write what came before.
    // The HTTP server would close the connection whatever it waits for.
    client.removeAllListeners('timeout');
    (client as Socket).setTimeout(this.options.unreadMs, () => {
      if (client.writableLength > 0) client.destroy();
    });
    client.pipe(service).pipe(client);
  }

  private refuse(client: Duplex, status: 404 | 503, error: { code: string; message: string }): void {
    const reason = status === 404 ? 'Not Found' : 'Service Unavailable';
    const body = JSON.stringify(error);
    const lines = Object.entries({
      ...this.options.headers(),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    client.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`);
  }
}

const defined = (headers: Record<string, string | string[] | undefined>) =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string | string[]] => entry[1] != null));

/** Headers about the framing of the body, which here ends with the connection. */
const framing = new Set(['transfer-encoding', 'content-length', 'connection', 'keep-alive']);

function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage, omit = new Set<string>()): string {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!omit.has(rawHeaders[i]!.toLowerCase())) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Relays a response without an upgrade, for example 401. */
function relay(response: IncomingMessage, client: Duplex): void {
  client.write(headOf(response, framing).replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n'));
  response.pipe(client);
}
