import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { notFound } from '@spooled/domain';
import { AppLogger, requestIdFrom, SETTINGS, withLogContext } from '@spooled/platform';
import { WebSocketServer, type ServerOptions } from 'ws';
import { toErrorResponse, type ErrorResponse } from '../http/error-answer.js';
import type { RealtimeSettings } from '../realtime.config.js';
import { Admission } from '../streams/admission.service.js';
import { OpenStreams } from '../streams/open-streams.js';
import { OrganizationFeeds } from '../streams/organization-feeds.js';
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

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly admission: Admission,
    private readonly streams: OpenStreams,
    private readonly feeds: OrganizationFeeds,
    private readonly logger: AppLogger,
    @Inject(SETTINGS) private readonly settings: RealtimeSettings,
  ) {}

  onApplicationBootstrap(): void {
    const server = this.http.httpAdapter.getHttpServer() as Server;
    server.on('upgrade', (request: IncomingMessage, connection: Duplex, head: Buffer) => {
      const requestId = requestIdFrom(request.headers['x-request-id']);
      void withLogContext({ requestId }, () => this.onUpgrade(request, connection, head, requestId));
    });
  }

  private async onUpgrade(request: IncomingMessage, connection: Duplex, head: Buffer, requestId: string) {
    connection.on('error', () => connection.destroy());
    try {
      await this.open(request, connection, head);
      this.logger.info({ method: 'GET', path: request.url, status: 101 }, 'request');
    } catch (error) {
      const response = toErrorResponse(error, this.logger);
      this.logger.info({ method: 'GET', path: request.url, status: response.status }, 'request');
      refuse(connection, response, requestId);
    }
  }

  private async open(request: IncomingMessage, connection: Duplex, head: Buffer): Promise<void> {
    if (request.url?.split('?', 1)[0] !== webSocketPath) throw notFound('Route');
    const caller = await this.admission.identify(request);
    const filter = readFilter(queryOf(request.url), caller.queues);
    await this.admission.takeSlot(caller, 'websocket', connection);
    let stream: WebSocketStream | undefined;
    const unfollow = this.feeds.follow(caller.organizationId, (events) => stream?.deliver(events));
    connection.once('close', unfollow);
    if (connection.destroyed) return unfollow();
    // Before the socket opens, so that the client misses no later event.
    await this.feeds.ready(caller.organizationId);
    this.server.handleUpgrade(request, connection, head, (socket) => {
      stream = new WebSocketStream(socket, connection, caller, filter, this.settings.REALTIME_MAX_UNSENT_BYTES);
      this.streams.add(stream);
    });
  }
}

function refuse(connection: Duplex, { status, headers, body }: ErrorResponse, requestId: string): void {
  const text = JSON.stringify(body);
  const lines = Object.entries({
    ...headers,
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  connection.end(`HTTP/1.1 ${status} ${body.code}\r\n${lines.join('')}\r\n${text}`);
}
