import type { Socket } from 'node:net';
import { Transform, type Readable } from 'node:stream';
import { SpooledError } from '@spooled/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    bodyReservation: BodyReservation | null;
  }
}

/** Owner of a body: a name, and the maximum share of the budget. */
export interface BodyOwner {
  name: string;
  share: number;
}

export interface BodyBudgetOptions {
  /** Maximum bytes of bodies in memory, from their Content-Length until the response; 0 = unlimited. */
  maxBytes: number;
  ownerOf: (request: FastifyRequest) => BodyOwner;
  /** Routes whose bodies are not kept in memory. */
  isExempt?: (request: FastifyRequest) => boolean;
}

export interface BodyReservation {
  owner: BodyOwner;
  bytes: number;
  socket: Socket;
}

const atCapacity = () =>
  new SpooledError('SERVICE_UNAVAILABLE', 'Server is at capacity; retry later', { retryAfterSeconds: 1 });

/** Counts the bytes of bodies in memory, by owner and by connection. */
class BodyBudget {
  private held = 0;
  private readonly owners = new Map<string, number>();
  /** Reservations of open connections. When one closes, Fastify may emit no `onResponse` for its requests. */
  private readonly sockets = new WeakMap<Socket, Set<BodyReservation>>();

  constructor(private readonly maxBytes: number) {}

  open(owner: BodyOwner, socket: Socket): BodyReservation {
    const reservation = { owner, bytes: 0, socket };
    const known = this.sockets.get(socket);
    if (known) known.add(reservation);
    else {
      const all = new Set([reservation]);
      this.sockets.set(socket, all);
      socket.once('close', () => all.forEach((one) => this.release(one)));
    }
    return reservation;
  }

  /** Reserves more bytes. @returns false if the budget is exceeded; a single body is always accepted */
  grow(reservation: BodyReservation, bytes: number): boolean {
    const { name, share } = reservation.owner;
    const ofOwner = this.owners.get(name) ?? 0;
    const isAlone = (held: number) => held === reservation.bytes;
    if (this.held + bytes > this.maxBytes && !isAlone(this.held)) return false;
    if (ofOwner + bytes > this.maxBytes * share && !isAlone(ofOwner)) return false;
    reservation.bytes += bytes;
    this.held += bytes;
    this.owners.set(name, ofOwner + bytes);
    return true;
  }

  /** Idempotent. */
  release(reservation: BodyReservation): void {
    const { owner, bytes, socket } = reservation;
    this.sockets.get(socket)?.delete(reservation);
    reservation.bytes = 0;
    this.held -= bytes;
    const left = (this.owners.get(owner.name) ?? 0) - bytes;
    if (left > 0) this.owners.set(owner.name, left);
    else this.owners.delete(owner.name);
  }
}

/**
 * Limits the bytes of bodies in memory: Content-Length is reserved before a body is read, a body of unknown length is counted as it
 * arrives. Beyond the limit, requests get 503 with Retry-After.
 */
export function limitBodies(fastify: FastifyInstance, { maxBytes, ownerOf, isExempt }: BodyBudgetOptions): void {
  if (maxBytes === 0) return;
  const budget = new BodyBudget(maxBytes);
  fastify.decorateRequest('bodyReservation', null);
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    const declared = declaredBytes(request);
    if (declared === 0 || request.raw.socket.destroyed || isExempt?.(request)) return done(null, payload);
    const reservation = budget.open(ownerOf(request), request.raw.socket);
    request.bodyReservation = reservation;
    if (declared === null) return done(null, counted(payload as Readable, budget, reservation));
    if (!budget.grow(reservation, declared)) return done(atCapacity());
    done(null, payload);
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    if (request.bodyReservation) budget.release(request.bodyReservation);
    done();
  });
}

/** Null = unknown length. 0 for bodies above the route's limit, which Fastify rejects. */
function declaredBytes({ headers, routeOptions }: FastifyRequest): number | null {
  if (headers['transfer-encoding'] !== undefined) return null;
  const length = Number(headers['content-length'] ?? 0);
  return length > routeOptions.bodyLimit ? 0 : length;
}

function counted(payload: Readable, budget: BodyBudget, reservation: BodyReservation): Readable {
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (budget.grow(reservation, chunk.length)) done(null, chunk);
      else done(atCapacity());
    },
  });
  // The caller disconnected within the body.
  payload.once('error', (error) => counter.destroy(error));
  // The rest of a rejected body is read and discarded.
  counter.once('error', () => payload.unpipe(counter).resume());
  return payload.pipe(counter);
}
