import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ShareOwner } from '@spooled/domain';
import { sendError } from '@spooled/service';
import { ConnectionRequests } from './connection-requests.js';
import type { InFlightRequests } from './in-flight-requests.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the request in `InFlightRequests`; null before it is counted. */
    endInFlight: (() => void) | null;
  }
}

interface Exempt {
  neverShed?: boolean;
  forwarded?: boolean;
  maxWaitMs?: number;
}

/**
 * Not counted and never refused: probes and scrapes, which operators need most under overload; requests that are forwarded to other
 * services; claims, whose waiting has its own limit, and which reduce the backlog.
 */
function isExempt(request: FastifyRequest): boolean {
  if (!request.url.startsWith('/api/')) return true;
  const { neverShed, forwarded, maxWaitMs } = (request.routeOptions.config ?? {}) as Exempt;
  return Boolean(neverShed || forwarded || maxWaitMs);
}

/**
 * Responds with 503 and Retry-After while too many requests are in flight. Requests are refused before their body is read, but counted
 * only once it has arrived; otherwise callers that never finish sending could block all others.
 */
export function shedRequests(
  fastify: FastifyInstance,
  load: InFlightRequests,
  ownerOf: (request: FastifyRequest) => ShareOwner,
): void {
  const connections = new ConnectionRequests();
  fastify.decorateRequest('endInFlight', null);
  fastify.addHook('onRequest', (request, reply, done) => {
    if (load.isFull && !isExempt(request)) refuse(request, reply, load);
    else done();
  });
  fastify.addHook('preValidation', (request, reply, done) => {
    if (isExempt(request)) return done();
    const owner = ownerOf(request);
    // The limit may have been reached while this body arrived.
    if (!load.hasCapacity(owner)) return refuse(request, reply, load);
    const { socket } = request.raw;
    // Its 'close' event has been emitted already.
    if (!socket.destroyed) request.endInFlight = connections.add(socket, load.begin('rest', owner));
    done();
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    request.endInFlight?.();
    done();
  });
}

/**
 * Refuses a request of an organization that has its share of the requests in flight, before its rate is counted.
 * @throws SpooledError 503
 */
export function requireCapacity(request: FastifyRequest, load: InFlightRequests, owner: ShareOwner): void {
  if (isExempt(request) || load.hasCapacity(owner)) return;
  request.skipAccessLog = true;
  throw load.refuse('rest');
}

function refuse(request: FastifyRequest, reply: FastifyReply, load: InFlightRequests): void {
  request.skipAccessLog = true;
  sendError(reply, load.refuse('rest'));
}
