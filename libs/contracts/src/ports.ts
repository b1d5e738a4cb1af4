import type { LeaseProof, Timestamp } from './command-values.js';
import type { Command, CommandKind, CommandOf, CommandResult, Outcome } from './commands.js';
import type { EventBatch } from './events.js';

/**
 * State of the path from a sender to the engines. `ready` = an engine is alive and keeps up; `backlogged` = the oldest waiting
 * command is too old, so further ones of this organization are rejected; `down` = no Redis or no engine: the sender runs commands itself.
 */
export type TransportState = 'ready' | 'backlogged' | 'down';

/** Thrown by `send` when the connection broke while a command was in flight: it may have run, or may run later. */
export class TransportLostError extends Error {
  override readonly name = 'TransportLostError';
}

export interface CommandTransport {
  /** State of the shard that serves this organization. */
  state(organizationId: string): TransportState;
  /**
   * Resolves after an engine has committed.
   * @throws SpooledError the engine's reply, or 503 when the deadline passed or the backlog is full
   * @throws TransportLostError
   */
  send<K extends CommandKind>(command: CommandOf<K>): Promise<CommandResult<K>>;
}

/** Runs commands; outcome i belongs to command i. A failed command is an outcome, never a rejected promise. */
export interface CommandExecutor {
  execute(commands: Command[]): Promise<Outcome[]>;
  /**
   * As `execute`, but with the reason in place of the outcome where a command has not run, and is to be run by the caller. Absent = all run.
   */
  executeShared?(commands: Command[], deferral: Deferral): Promise<(Outcome | NotRun)[]>;
  /** Releases, in a while again, what these claims are granted by transactions that may still commit: no worker will hear of it. */
  abandon?(claims: CommandOf<'job.claim'>[]): void;
}

/**
 * Why a command has not run. `blocked`: it waits for a lock or takes long; it was rolled back, and runs separately, so that others do
 * not wait for it. `full`: its transaction has all the bytes that it may have; it runs in the next one.
 */
export type NotRun = 'blocked' | 'full';

/** Which commands are left as blocked: all that an organization has in the transaction, or only those that block it. */
export type Deferral = 'organizations' | 'commands';

/** Best effort: may lose messages; never throws and never delays the caller. */
export interface EventPublisher {
  publish(batches: EventBatch[]): void;
}

/** A webhook delivery recorded by a committed transaction. Its row is the source of truth; dispatching it only makes it fast. */
export interface DeliveryRef {
  id: string;
  organizationId: string;
}

/** Hands deliveries over to the webhooks service. Also the injection token. */
export abstract class DeliveryDispatcher {
  /** Best effort: the sweep of the deliveries table finds what is lost here. Never throws. */
  abstract dispatch(deliveries: DeliveryRef[]): void;
}

export interface LeaseRef {
  organizationId: string;
  jobId: string;
  leaseId: string;
}

/** A lease as presented by a caller; null = whichever lease this worker, or any worker, holds. */
export interface PresentedLease {
  organizationId: string;
  jobId: string;
  leaseId: string | null;
  workerId: string | null;
}

export type LeaseRenewal = LeaseProof & { organizationId: string; leaseSeconds: number };

/** A lease just written to its row by a committed transaction. */
export interface WrittenLease extends LeaseRef {
  workerId: string;
  queueName: string;
  leaseExpiresAt: Timestamp;
  /** Earliest end of the row's lease, on the monotonic clock of this process. */
  endsAt: number;
  /** Milliseconds by which it may end later. */
  uncertainMs: number;
}

/** A lease that was renewed beyond the end stored in its row. */
export interface RenewedLease {
  leaseId: string;
  leftMs: number;
}

/**
 * Holds leases between two writes of their rows (KF-06, KF-07). The row is the source of truth about who holds a job; the store knows how long
 * a lease lasts beyond the row's own end, and may lose that at any time: then the row alone counts. Entry i of a result
 * belongs to entry i of the argument; nothing here rejects or takes longer than a fraction of a second. Also the injection token.
 */
export abstract class LeaseStore {
  /**
   * Extends leases to now + duration, if the row covers at least half of that without being written.
   * Returns the new end, or null where the row must be written.
   */
  abstract renew(renewals: LeaseRenewal[]): Promise<(Timestamp | null)[]>;
  /** The leases that are still alive, null for the others. */
  abstract alive(leases: PresentedLease[]): Promise<(RenewedLease | null)[]>;
  /** Stores leases that were written to their rows. */
  abstract keep(leases: WrittenLease[]): Promise<void>;
  /** Removes leases whose jobs have ended or were released; a late `keep` does not bring them back. */
  abstract end(leases: LeaseRef[]): Promise<void>;
}
