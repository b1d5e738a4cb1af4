import type { OutgoingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@spooled/domain';
import type { LiveStream } from '@spooled/contracts';
import { AppLogger, SETTINGS } from '@spooled/platform';
import type { StreamKind } from '@spooled/transport';
import { CLOCK, rateHeaders, UnsentBytes } from '@spooled/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../streams/caller.js';
import type { RealtimeSettings } from '../realtime.config.js';
import { Admission } from '../streams/admission.service.js';
import { OpenStreams } from '../streams/open-streams.js';
import { queryOf, readGatherMs } from '../streams/stream-query.js';
import { SseStream } from './sse-stream.js';

/** Opens streams of server-sent events. */
@Injectable()
export class SseHandler {
  constructor(
    private readonly admission: Admission,
    private readonly streams: OpenStreams,
    private readonly logger: AppLogger,
    private readonly unsent: UnsentBytes,
    @Inject(SETTINGS) private readonly settings: RealtimeSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws SpooledError 401, 403, 503 */
  identify(request: FastifyRequest, reply: FastifyReply, stream: LiveStream): Promise<Caller> {
    return this.admission.identify(request.raw, stream, (rate) => void reply.headers(rateHeaders(rate)));
  }

  /**
   * A stream with a slot that has not begun: until `begin`, an error may still be sent as plain HTTP.
   * @throws SpooledError 400, 429
   */
  async prepare(request: FastifyRequest, reply: FastifyReply, caller: Caller, kind: StreamKind): Promise<SseStream> {
    const query = queryOf(request.raw.url);
    const gatherMs = readGatherMs(query);
    await this.admission.takeSlot(caller, kind, reply.raw);
    const frames = query.get('format') === 'message' ? 'unnamed' : 'named';
    const maxUnsentBytes = this.settings.REALTIME_MAX_UNSENT_BYTES;
    const { unsent, clock } = this;
    return new SseStream(reply.raw, { kind, caller, frames, gatherMs, maxUnsentBytes, unsent, clock });
  }

  /** Sends the first bytes; the stream then runs independently. @throws SpooledError 503 during shutdown */
  begin(reply: FastifyReply, stream: SseStream): void {
    this.streams.requireOpen();
    // The access log would be written at the end, and not at all when the client disconnects, as most do.
    this.logger.info({ method: 'GET', path: reply.request.url, status: 200, kind: stream.kind }, 'stream opened');
    reply.hijack();
    stream.open(reply.getHeaders() as OutgoingHttpHeaders);
    this.streams.add(stream);
    // Node sends the headers with the end, because nothing else follows.
    if (reply.request.method === 'HEAD') stream.end('complete');
  }
}
