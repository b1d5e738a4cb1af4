import { type ShareOwner, SpooledError } from '@spooled/domain';
import type { AppLogger } from '@spooled/platform';
import { type ReservedBytes, sendError, toErrorResponse, type UnsentBytes } from '@spooled/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ConnectionRequests } from './connection-requests.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What is counted for the response that is being made; null: nothing. */
    expectedResponse: ReservedBytes | null;
  }
}

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
 * Counts responses until their callers have read them. A read that its organization has no room for is refused; what has changed
 * something is always told. Reads whose route has `expectedBytes` count as many while they are made: a hundred lists at once have been
 * made before the first one is measured. Connections whose caller does not read a response are closed.
 */
export function limitUnsentResponses(fastify: FastifyInstance, options: UnsentResponseOptions): void {
  const connections = new ConnectionRequests();
  const count = (request: FastifyRequest, reply: FastifyReply, bytes: number): ReservedBytes => {
    const reader = options.unsent.open('rest', options.ownerOf(request));
    reply.raw.once(
      'close',
      connections.add(request.raw.socket, () => reader.close()),
    );
    return reader.take(bytes);
  };
  fastify.decorateRequest('expectedResponse', null);
  fastify.addHook('preHandler', (request, reply, done) => {
    const { expectedBytes } = (request.routeOptions.config ?? {}) as { expectedBytes?: number };
    if (expectedBytes === undefined || request.method !== 'GET' || request.raw.socket.destroyed) return done();
    if (options.unsent.fits(options.ownerOf(request), expectedBytes)) {
      request.expectedResponse = count(request, reply, expectedBytes);
      return done();
    }
    options.onRefused();
    sendError(reply, unreadResponses());
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    closeUnread(request, reply, options);
    const bytes = bytesOf(payload);
    request.expectedResponse?.release();
    if (bytes <= smallResponseBytes || request.raw.socket.destroyed) return done(null, payload);
    const owner = options.ownerOf(request);
    if (request.method === 'GET' && !options.unsent.fits(owner, bytes)) {
      options.onRefused();
      return done(null, refusal(reply));
    }
    count(request, reply, bytes);
    done(null, payload);
  });
}

/** The bytes of streams are bounded by their buffers. */
const bytesOf = (payload: unknown): number =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0;

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

const unreadResponses = (): SpooledError =>
  new SpooledError('SERVICE_UNAVAILABLE', 'Responses of this organization wait to be read; retry later', {
    retryAfterSeconds: 1,
  });
