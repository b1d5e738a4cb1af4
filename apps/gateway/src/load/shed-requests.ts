import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { sendError } from '@spooled/service';
import type { InFlightRequests } from './in-flight-requests.js';

declare module 'fastify' {
  interface FastifyRequest {
    isInFlight: boolean;
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
export function shedRequests(fastify: FastifyInstance, load: InFlightRequests): void {
  const connections = new ConnectionRequests(load);
  fastify.decorateRequest('isInFlight', false);
  fastify.addHook('onRequest', (request, reply, done) => {
    if (load.isFull && !isExempt(request)) refuse(request, reply, load);
    else done();
  });
  fastify.addHook('preValidation', (request, reply, done) => {
    if (isExempt(request)) return done();
    // The limit may have been reached while this body arrived.
    if (load.isFull) return refuse(request, reply, load);
    connections.begin(request);
    done();
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    connections.end(request);
    done();
  });
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
  private readonly counts = new WeakMap<Socket, number>();

  constructor(private readonly load: InFlightRequests) {}

  begin(request: FastifyRequest): void {
    const { socket } = request.raw;
    // Its 'close' event has been emitted already.
    if (socket.destroyed) return;
    const count = this.counts.get(socket);
    if (count === undefined) socket.once('close', () => this.closed(socket));
    this.counts.set(socket, (count ?? 0) + 1);
    request.isInFlight = true;
    this.load.begin('rest');
  }

  end(request: FastifyRequest): void {
    const { socket } = request.raw;
    const count = this.counts.get(socket);
    if (!request.isInFlight || count === undefined) return;
    this.counts.set(socket, count - 1);
    this.load.end('rest');
  }

  private closed(socket: Socket): void {
    this.load.end('rest', this.counts.get(socket));
    this.counts.delete(socket);
  }
}
