import type { Server } from 'node:http';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { unavailable } from '@spooled/domain';
import { AppLogger, METRICS } from '@spooled/platform';
import type { StreamKind } from '@spooled/transport';
import type { Caller } from './caller.js';
import type { RealtimeMetrics } from '../realtime.config.js';

/**
 * Why a stream ended. `client_closed`: closed by the client or its connection was lost. `complete`: no more events can
 * follow. `unresponsive`: pings were not answered.
 */
export type EndReason =
  | 'client_closed'
  | 'complete'
  | 'time_limit'
  | 'revoked'
  | 'slow_reader'
  | 'unresponsive'
  | 'shutdown';

/** A WebSocket or a stream of server-sent events. */
export interface OpenStream {
  readonly kind: StreamKind;
  /** Replaced when the key's scope changes. */
  caller: Caller;
  /** Ends the stream; later calls do nothing. */
  end(reason: EndReason): void;
  /** Calls `listener` once when the stream ends. */
  onEnded(listener: (reason: EndReason) => void): void;
}

/** All open streams of this process. */
@Injectable()
export class OpenStreams implements BeforeApplicationShutdown {
  private readonly streams = new Set<OpenStream>();
  private readonly added = new Set<(stream: OpenStream) => void>();
  private emptied?: () => void;
  private closing = false;

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly logger: AppLogger,
    @Inject(METRICS) private readonly metrics: RealtimeMetrics,
  ) {}

  /**
   * To be called before a stream's first byte: a client that is accepted and then dropped takes it for a failure of the stream.
   * @throws SpooledError 503 during shutdown
   */
  requireOpen(): void {
    if (this.closing) throw unavailable('This instance', 1);
  }

  add(stream: OpenStream): void {
    this.streams.add(stream);
    this.metrics.liveStreams.inc({ kind: stream.kind });
    stream.onEnded((reason) => this.remove(stream, reason));
    if (this.closing) stream.end('shutdown');
    for (const listener of this.added) listener(stream);
  }

  /** Calls `listener` with each stream from when it is open, until the returned function is called. */
  onAdded(listener: (stream: OpenStream) => void): () => void {
    this.added.add(listener);
    return () => this.added.delete(listener);
  }

  [Symbol.iterator](): Iterator<OpenStream> {
    return this.streams.values();
  }

  /** Ends all streams and resolves once they are closed: the HTTP server cannot close before them. */
  async beforeApplicationShutdown(): Promise<void> {
    this.closing = true;
    for (const stream of [...this.streams]) stream.end('shutdown');
    if (this.streams.size > 0) await new Promise<void>((resolve) => (this.emptied = resolve));
    // Connections without any request (clients open them in advance) count as busy and would delay shutdown.
    (this.http.httpAdapter.getHttpServer() as Server).closeAllConnections();
  }

  private remove(stream: OpenStream, reason: EndReason): void {
    this.streams.delete(stream);
    this.metrics.liveStreams.dec({ kind: stream.kind });
    this.metrics.liveStreamsEnded.inc({ reason });
    if (reason !== 'client_closed') {
      const { organizationId: organization_id, apiKeyId: api_key_id } = stream.caller;
      const level = reason === 'slow_reader' || reason === 'revoked' ? 'warn' : 'debug';
      this.logger[level]({ reason, kind: stream.kind, organization_id, api_key_id }, 'stream ended');
    }
    if (this.streams.size === 0) this.emptied?.();
  }
}
