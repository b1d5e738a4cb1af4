import { type ShareOwner, SpooledError } from '@spooled/domain';
import type { AppLogger } from '@spooled/platform';
import { toErrorResponse, type UnsentBytes } from '@spooled/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ConnectionRequests } from './connection-requests.js';

/** Smaller responses are bounded by the number of requests in flight. */
export const smallResponseBytes = 16_384;

interface UnsentResponseOptions {
  unsent: UnsentBytes;
  ownerOf(request: FastifyRequest): ShareOwner;
  /** After so long without progress the connection of a response is closed. */
  unreadMs: number;
  logger: AppLogger;
  onRefused(): void;
}

/** @throws SpooledError 503 when the organization has its share of the bytes that wait for clients */
export function requireUnsentCapacity(unsent: UnsentBytes, owner: ShareOwner, bytes: number): void {
  if (bytes > smallResponseBytes && !unsent.fits(owner, bytes)) throw unreadResponses();
}

/**
 * Counts responses until their callers have read them. A read that its organization has no capacity for is refused; what has changed
 * something is always told. Large lists are made in turns (`ListTurns`). Connections whose caller does not read a response are closed.
 */
export function limitUnsentResponses(fastify: FastifyInstance, options: UnsentResponseOptions): void {
  const connections = new ConnectionRequests();
  fastify.addHook('onSend', (request, reply, payload, done) => {
    closeUnread(request, reply, options);
    const bytes = bytesOf(payload);
    if (bytes <= smallResponseBytes || request.raw.socket.destroyed) return done(null, payload);
    const owner = options.ownerOf(request);
    if (request.method === 'GET' && !options.unsent.fits(owner, bytes)) {
      options.onRefused();
      return done(null, refusal(reply));
    }
    const reader = options.unsent.open('rest', owner);
    reply.raw.once(
      'close',
      connections.add(request.raw.socket, () => reader.close()),
    );
    reader.take(bytes);
    done(null, exactly(payload));
  });
}

/** The bytes of streams are bounded by their buffers. */
const bytesOf = (payload: unknown): number =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0;

/** Node holds an unread string in three bytes for each of its characters, a buffer as it is. */
const exactly = (payload: unknown): unknown => (typeof payload === 'string' ? Buffer.from(payload) : payload);

/** Node restarts the time when the peer has accepted anything. A stream that has nothing to send may be silent for longer. */
function closeUnread(
  { url }: FastifyRequest,
  { raw }: FastifyReply,
  { unreadMs, logger }: UnsentResponseOptions,
): void {
  raw.setTimeout(unreadMs, () => {
    if (raw.writableLength === 0) return;
    logger.warn({ path: url.split('?', 1)[0] }, 'a response was not read, its connection is closed');
    raw.destroy();
  });
}

/** In place of the response that was made. */
function refusal(reply: FastifyReply): string {
  const { status, headers, body } = toErrorResponse(unreadResponses());
  for (const name of ['content-length', 'link', 'x-next-cursor', 'x-has-more', 'etag']) reply.removeHeader(name);
  void reply.code(status).headers({ ...headers, 'content-type': 'application/json; charset=utf-8' });
  return JSON.stringify(body);
}

export const unreadResponses = (): SpooledError =>
  new SpooledError('SERVICE_UNAVAILABLE', 'Responses of this organization wait to be read; retry later', {
    retryAfterSeconds: 1,
  });
