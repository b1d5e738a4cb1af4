import type { Socket } from 'node:net';
import { Transform, type Readable } from 'node:stream';
import { SpooledError } from '@spooled/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    bodyReservation: BodyReservation | null;
  }
}

/** On whose account a body is held: a name, and the share of the budget that it may have at most. */
export interface BodyOwner {
  name: string;
  share: number;
}

export interface BodyBudgetOptions {
  /** Bytes of bodies that the process holds at most, from their announcement until they are answered; 0 = no bound. */
  maxBytes: number;
  ownerOf: (request: FastifyRequest) => BodyOwner;
  /** Routes whose bodies are not held here. */
  isExempt?: (request: FastifyRequest) => boolean;
}

export interface BodyReservation {
  owner: BodyOwner;
  bytes: number;
  socket: Socket;
}

const atCapacity = () =>
  new SpooledError('SERVICE_UNAVAILABLE', 'Server is at capacity; retry later', { retryAfterSeconds: 1 });

/** How many bytes of bodies are held, by owner and by connection. */
class BodyBudget {
  private held = 0;
  private readonly owners = new Map<string, number>();
  /** Reservations of open connections: of one that closes, answers may never be told to have ended. */
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

  /** Whether so many more bytes fit. A single body always does, whatever the bound. */
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

  /** Later calls do nothing. */
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
 * Bounds the bytes of bodies that a process holds: what a request announces is reserved before it is read, a body of unknown
 * length is counted as it arrives. Beyond the bound requests get 503 with Retry-After.
 */
export function limitBodies(fastify: FastifyInstance, { maxBytes, ownerOf, isExempt }: BodyBudgetOptions): void {
  if (maxBytes === 0) return;
  const budget = new BodyBudget(maxBytes);
  fastify.decorateRequest('bodyReservation', null);
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    const announced = announcedBytes(request);
    if (announced === 0 || request.raw.socket.destroyed || isExempt?.(request)) return done(null, payload);
    const reservation = budget.open(ownerOf(request), request.raw.socket);
    request.bodyReservation = reservation;
    if (announced === null) return done(null, counted(payload as Readable, budget, reservation));
    if (!budget.grow(reservation, announced)) return done(atCapacity());
    done(null, payload);
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    if (request.bodyReservation) budget.release(request.bodyReservation);
    done();
  });
}

/** Null = the length is not known beforehand. More than the route allows is refused by Fastify at once. */
function announcedBytes({ headers, routeOptions }: FastifyRequest): number | null {
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
  // Whoever breaks off in the middle of its body ends the reading of it, too.
  payload.once('error', (error) => counter.destroy(error));
  // What is not wanted any more is read off the connection, but kept nowhere.
  counter.once('error', () => payload.unpipe(counter).resume());
  return payload.pipe(counter);
}
