import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { type LiveStream, streamPermissions } from '@spooled/contracts';
import { requirePermission, SpooledError } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import { AddressLimits, CallerAuthenticator, consoleBucket, findCredential, limitsOfKey } from '@spooled/service';
import { type RateLimitResult, RateLimits, StreamSlots, type StreamKind } from '@spooled/transport';
import type { RealtimeSettings } from '../realtime.config.js';
import type { Caller } from './caller.js';
import { OpenStreams } from './open-streams.js';
import { queryOf, requireKnownQuery } from './stream-query.js';

const retryAfterSeconds = 10;
const missing = 'Missing credential: send Authorization: Bearer, X-API-Key, ?token= or ?api_key=';

/** The socket of a WebSocket, or the response that carries server-sent events. */
export interface Connection {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

const limitReached = (kind: StreamKind, limit: number): SpooledError =>
  new SpooledError('RATE_LIMIT_EXCEEDED', `Too many open streams of this kind (${limit} per organization)`, {
    retryAfterSeconds,
    extras: { error: 'too_many_streams', resource: kind, limit, remaining: 0, retry_after_secs: retryAfterSeconds },
  });

/** Authenticates and admits callers before a stream is opened. */
@Injectable()
export class Admission {
  private readonly limits: Record<StreamKind, number>;

  constructor(
    private readonly callers: CallerAuthenticator,
    private readonly slots: StreamSlots,
    private readonly streams: OpenStreams,
    private readonly addresses: AddressLimits,
    private readonly limiter: RateLimits,
    @Inject(SETTINGS) settings: RealtimeSettings,
  ) {
    this.limits = {
      websocket: settings.REALTIME_MAX_WEBSOCKETS,
      events: settings.REALTIME_MAX_EVENT_STREAMS,
      watch: settings.REALTIME_MAX_WATCHES,
    };
  }

  /**
   * @param onRate called with the state of the caller's rate limit, which opening a stream does not use up
   * @throws SpooledError 400 for an unknown parameter, 401, 403 when the role of the key does not permit this stream, 429 for an address with too many failed attempts, 503 during shutdown or when the
   * credential cannot be checked
   */
  async identify(
    { headers, socket, url }: IncomingMessage,
    stream: LiveStream,
    onRate: (rate: RateLimitResult) => void,
  ): Promise<Caller> {
    this.streams.requireOpen();
    const credential = findCredential({ headers, query: queryOf(url) });
    const callOf = () => ({ address: this.addresses.addressOf(headers, socket.remoteAddress), onCount: onRate });
    const principal = await this.callers.authenticate({ credential, missing }, callOf);
    const limits = principal.session?.console ? [consoleBucket(principal)] : limitsOfKey(principal);
    onRate((await this.limiter.take(principal.organizationId, limits, 0, false)).last);
    requirePermission(principal, streamPermissions[stream]);
    requireKnownQuery(queryOf(url), stream);
    return { ...principal, credential: credential!, stream };
  }

  /**
   * Takes a stream slot, which is released when `connection` closes.
   * @throws SpooledError 429 when the organization has too many streams of this kind
   */
  async takeSlot(caller: Caller, kind: StreamKind, connection: Connection): Promise<void> {
    const slot = await this.slots.take(caller.organizationId, kind, this.limits[kind]);
    if (!slot) throw limitReached(kind, this.limits[kind]);
    connection.once('close', () => slot.release());
    // Already closed: its 'close' event will not come again.
    if (connection.destroyed) slot.release();
  }
}
