import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { sendError } from '../http/error-response.js';
import type { InFlightRequests } from './in-flight-requests.js';

declare module 'fastify' {
  interface FastifyRequest {
    isUnderWay: boolean;
  }
}

interface Exempt {
  neverShed?: boolean;
  passedOn?: boolean;
  mayWaitMs?: number;
}

/**
 * Not counted and never refused: probes and scrapes, which operators need most when all is full; what is passed on to
 * other services; claims, whose waiting has a bound of its own, and which take load away.
 */
function isExempt(request: FastifyRequest): boolean {
  if (!request.url.startsWith('/api/')) return true;
  const { neverShed, passedOn, mayWaitMs } = (request.routeOptions.config ?? {}) as Exempt;
  return Boolean(neverShed || passedOn || mayWaitMs);
}

/**
 * Answers 503 with Retry-After at once while too many requests are under way. Refused is before the body is read; a place is
 * taken only when the body is there, or callers who never finish sending could keep everybody else out.
 */
export function shedRequests(fastify: FastifyInstance, load: InFlightRequests): void {
  const places = new Places(load);
  fastify.decorateRequest('isUnderWay', false);
  fastify.addHook('onRequest', (request, reply, done) => {
    if (load.isFull && !isExempt(request)) refuse(request, reply, load);
    else done();
  });
  fastify.addHook('preValidation', (request, reply, done) => {
    if (isExempt(request)) return done();
    // Others may have been faster while this body came.
    if (load.isFull) return refuse(request, reply, load);
    places.take(request);
    done();
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    places.giveBack(request);
    done();
  });
}

function refuse(request: FastifyRequest, reply: FastifyReply, load: InFlightRequests): void {
  request.skipAccessLog = true;
  sendError(reply, load.refuse('rest'));
}

/**
 * Places of requests, by their connections: of one that closes all come free at once. The answers alone do not tell: Node says
 * nothing about the end of one that stands behind others of its connection (pipelining) when that closes.
 */
class Places {
  private readonly taken = new WeakMap<Socket, number>();

  constructor(private readonly load: InFlightRequests) {}

  take(request: FastifyRequest): void {
    const { socket } = request.raw;
    // Its end has been told already.
    if (socket.destroyed) return;
    const before = this.taken.get(socket);
    if (before === undefined) socket.once('close', () => this.closed(socket));
    this.taken.set(socket, (before ?? 0) + 1);
    request.isUnderWay = true;
    this.load.begin('rest');
  }

  giveBack(request: FastifyRequest): void {
    const { socket } = request.raw;
    const before = this.taken.get(socket);
    if (!request.isUnderWay || before === undefined) return;
    this.taken.set(socket, before - 1);
    this.load.end('rest');
  }

  private closed(socket: Socket): void {
    this.load.end('rest', this.taken.get(socket));
    this.taken.delete(socket);
  }
}
