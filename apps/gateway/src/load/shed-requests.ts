import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import type { ShareOwner } from '@spooled/domain';
import { sendError } from '@spooled/service';
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
  const connections = new ConnectionRequests(load);
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
    connections.begin(request, owner);
    done();
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    connections.end(request);
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

/**
 * Counts requests in flight by connection, and ends all of a connection when it closes: Node emits no event for a pipelined
 * request whose connection closes before its turn.
 */
class ConnectionRequests {
  private readonly open = new WeakMap<Socket, Set<() => void>>();

  constructor(private readonly load: InFlightRequests) {}

  begin(request: FastifyRequest, owner: ShareOwner): void {
    const { socket } = request.raw;
    // Its 'close' event has been emitted already.
    if (socket.destroyed) return;
    const end = (request.endInFlight = this.load.begin('rest', owner));
    this.requestsOf(socket).add(end);
  }

  end(request: FastifyRequest): void {
    const { endInFlight: end } = request;
    if (!end) return;
    this.open.get(request.raw.socket)?.delete(end);
    end();
  }

  private requestsOf(socket: Socket): Set<() => void> {
    const known = this.open.get(socket);
    if (known) return known;
    const all = new Set<() => void>();
    this.open.set(socket, all);
    socket.once('close', () => all.forEach((end) => end()));
    return all;
  }
}
