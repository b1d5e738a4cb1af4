import type { Socket } from 'node:net';
import { Transform, type Readable } from 'node:stream';
import { type ShareOwner, SpooledError, TenantShares } from '@spooled/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    bodyReservation: BodyReservation | null;
  }
}

export interface BodyBudgetOptions {
  /** Maximum bytes of bodies in memory, from their Content-Length until the response; 0 = unlimited. */
  maxBytes: number;
  /** Shares the bytes, as `TenantShares` does. */
  ownerOf: (request: FastifyRequest) => ShareOwner;
  /** Called for each request that is refused. */
  onRefused?: () => void;
  /** Routes whose bodies are not kept in memory. */
  isExempt?: (request: FastifyRequest) => boolean;
}

export interface BodyReservation {
  owner: ShareOwner;
  bytes: number;
  socket: Socket;
}

const atCapacity = () =>
  new SpooledError('SERVICE_UNAVAILABLE', 'Server is at capacity; retry later', { retryAfterSeconds: 1 });

/** Counts the bytes of bodies in memory, by owner and by connection. */
class BodyBudget {
  private held = 0;
  private readonly shares: TenantShares;
  /** Reservations of open connections. When one closes, Fastify may emit no `onResponse` for its requests. */
  private readonly sockets = new WeakMap<Socket, Set<BodyReservation>>();

  constructor(maxBytes: number) {
    this.shares = new TenantShares(maxBytes);
  }

  open(owner: ShareOwner, socket: Socket): BodyReservation {
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
    if (!this.hasCapacity(reservation, bytes)) return false;
    reservation.bytes += bytes;
    this.held += bytes;
    this.shares.take(reservation.owner.name, bytes);
    return true;
  }

  /** Idempotent. */
  release(reservation: BodyReservation): void {
    const { owner, bytes, socket } = reservation;
    this.sockets.get(socket)?.delete(reservation);
    reservation.bytes = 0;
    this.held -= bytes;
    if (bytes > 0) this.shares.release(owner.name, bytes);
  }

  private hasCapacity({ owner, bytes: own }: BodyReservation, bytes: number): boolean {
    if (this.held === own) return true;
    const isOnlyOneOfOwner = this.shares.usedBy(owner.name) === own;
    return bytes <= (isOnlyOneOfOwner ? this.shares.free : this.shares.available(owner.name, owner.weight));
  }
}

/**
 * Limits the bytes of bodies in memory: Content-Length is reserved before a body is read, a body of unknown length is counted as it
 * arrives. Beyond the limit, requests get 503 with Retry-After.
 */
export function limitBodies(fastify: FastifyInstance, options: BodyBudgetOptions): void {
  const { maxBytes, ownerOf, isExempt, onRefused = () => undefined } = options;
  if (maxBytes === 0) return;
  const budget = new BodyBudget(maxBytes);
  fastify.decorateRequest('bodyReservation', null);
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    const declared = declaredBytes(request);
    if (declared === 0 || request.raw.socket.destroyed || isExempt?.(request)) return done(null, payload);
    const reservation = budget.open(ownerOf(request), request.raw.socket);
    request.bodyReservation = reservation;
    const grow = (bytes: number): boolean => {
      const isAccepted = budget.grow(reservation, bytes);
      if (!isAccepted) onRefused();
      return isAccepted;
    };
    if (declared === null) return done(null, counted(payload as Readable, grow));
    if (!grow(declared)) return done(atCapacity());
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

function counted(payload: Readable, grow: (bytes: number) => boolean): Readable {
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (grow(chunk.length)) done(null, chunk);
      else done(atCapacity());
    },
  });
  // The caller disconnected within the body.
  payload.once('error', (error) => counter.destroy(error));
  // The rest of a rejected body is read and discarded.
  counter.once('error', () => payload.unpipe(counter).resume());
  return payload.pipe(counter);
}
