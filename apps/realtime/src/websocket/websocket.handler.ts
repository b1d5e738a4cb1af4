import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { notFound, type SpooledError } from '@spooled/domain';
import { AppLogger, requestIdFrom, SETTINGS, withLogContext } from '@spooled/platform';
import {
  AddressLimits,
  logFailure,
  rateHeaders,
  responseHeaders,
  toErrorResponse,
  toSpooledError,
  UnsentBytes,
  versionHeader,
} from '@spooled/service';
import { EventSubscriber, type RateLimitResult } from '@spooled/transport';
import { WebSocketServer, type ServerOptions } from 'ws';
import type { RealtimeSettings } from '../realtime.config.js';
import { Admission } from '../streams/admission.service.js';
import { OpenStreams } from '../streams/open-streams.js';
import { liveEventsOf } from '../streams/live-event.js';
import { queryOf, readFilter } from '../streams/stream-query.js';
import { WebSocketStream } from './websocket-stream.js';

export const webSocketPath = '/api/v1/ws';
/** Commands are short; longer frames close the connection with 1009. */
const maxFrameBytes = 64 * 1024;

/** `closeTimeout`, the time for a client to answer a close frame, is missing from ws's types. */
const serverOptions: ServerOptions & { closeTimeout: number } = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: maxFrameBytes,
  closeTimeout: 2_000,
};

/** Upgrades requests to WebSockets (SP-12). Refused requests get a plain HTTP error. */
@Injectable()
export class WebSocketHandler implements OnApplicationBootstrap {
  private readonly server = new WebSocketServer(serverOptions);
  /** The limits that responses name, by request. */
  private readonly rates = new WeakMap<IncomingMessage, RateLimitResult>();

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly admission: Admission,
    private readonly streams: OpenStreams,
    private readonly subscriber: EventSubscriber,
    private readonly addresses: AddressLimits,
    private readonly logger: AppLogger,
    private readonly unsent: UnsentBytes,
    @Inject(SETTINGS) private readonly settings: RealtimeSettings,
  ) {}

  onApplicationBootstrap(): void {
    this.server.on('headers', (headers, request) =>
      headers.push(...Object.entries(this.rateHeadersOf(request)).map(([name, value]) => `${name}: ${value}`)),
    );
    const server = this.http.httpAdapter.getHttpServer() as Server;
    server.on('upgrade', (request: IncomingMessage, connection: Duplex, head: Buffer) => {
      const requestId = requestIdFrom(request.headers['x-request-id']);
      void withLogContext({ requestId }, () => this.onUpgrade(request, connection, head, requestId));
    });
  }

  private async onUpgrade(request: IncomingMessage, connection: Duplex, head: Buffer, requestId: string) {
    connection.on('error', () => connection.destroy());
    this.rates.set(request, this.addresses.uncounted());
    try {
      await this.open(request, connection, head);
      this.logger.info({ method: 'GET', path: request.url, status: 101 }, 'request');
    } catch (thrown) {
      const error = toSpooledError(thrown);
      logFailure(this.logger, error, 'a stream could not be opened');
      this.logger.info({ method: 'GET', path: request.url, status: error.status }, 'request');
      this.refuse(connection, error, { 'x-request-id': requestId, ...this.rateHeadersOf(request) });
    }
  }

  private async open(request: IncomingMessage, connection: Duplex, head: Buffer): Promise<void> {
    if (request.url?.split('?', 1)[0] !== webSocketPath) throw notFound('Route');
    const caller = await this.admission.identify(request, 'websocket', (rate) => this.rates.set(request, rate));
    const filter = readFilter(queryOf(request.url), caller.queues);
    await this.admission.takeSlot(caller, 'websocket', connection);
    let stream: WebSocketStream | undefined;
    const unfollow = this.subscriber.subscribe(caller.organizationId, (batch) => stream?.deliver(liveEventsOf(batch)));
    connection.once('close', unfollow);
    if (connection.destroyed) return unfollow();
    // Before the socket opens, so that the client misses no later event.
    await this.subscriber.ready(caller.organizationId);
    this.streams.requireOpen();
    this.server.handleUpgrade(request, connection, head, (socket) => {
      const maxBytes = this.settings.REALTIME_MAX_UNSENT_BYTES;
      stream = new WebSocketStream(socket, connection, caller, filter, maxBytes, this.unsent);
      this.streams.add(stream);
    });
  }

  private rateHeadersOf(request: IncomingMessage): Record<string, string | number> {
    return rateHeaders(this.rates.get(request)!);
  }

  /** The same response as the HTTP server's, which has handed the connection over. */
  private refuse(connection: Duplex, error: SpooledError, more: Record<string, string | number>): void {
    const { status, headers, body } = toErrorResponse(error);
    const text = JSON.stringify(body);
    const lines = Object.entries({
      ...responseHeaders(this.settings),
      ...versionHeader,
      ...headers,
      ...more,
      'content-length': Buffer.byteLength(text),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    // Its client may keep its half open, and no time limit of the server applies to what it has handed over.
    connection.once('finish', () => connection.destroy());
    connection.end(`HTTP/1.1 ${status} ${error.code}\r\n${lines.join('')}\r\n${text}`);
  }
}
