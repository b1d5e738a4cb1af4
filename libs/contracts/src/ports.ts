import type { Command, CommandKind, CommandOf, CommandResult, LeaseProof, Outcome, Timestamp } from './commands.js';
import type { EventBatch } from './events.js';

/**
 * The way of a command to an engine. `ready` = an engine is alive and keeps up; `backlogged` = the oldest waiting
 * command is too old, so new ones are refused; `down` = no Redis or no engine: the caller runs commands itself.
 */
export type TransportState = 'ready' | 'backlogged' | 'down';

/** Thrown by `send` when the way broke while a command was under way: it may or may not have run, or may run later. */
export class TransportLostError extends Error {
  override readonly name = 'TransportLostError';
}

export interface CommandTransport {
  /** State of the shard that serves this organization. */
  state(organizationId: string): TransportState;
  /**
   * Resolves after an engine has committed.
   * @throws SpooledError the engine's own answer, or 503 when the deadline passed or the backlog is full
   * @throws TransportLostError
   */
  send<K extends CommandKind>(command: CommandOf<K>): Promise<CommandResult<K>>;
}

/** Runs commands; outcome i belongs to command i. One command's failure is its own outcome, never a rejection. */
export interface CommandExecutor {
  execute(commands: Command[]): Promise<Outcome[]>;
  /**
   * As `execute`, for commands of several organizations: null for those that wait for a lock or take long. Nothing of them happened;
   * the caller runs them by themselves, so that the others need not wait for them. Absent = there are never any.
   */
  executeShared?(commands: Command[]): Promise<(Outcome | null)[]>;
}

/** May lose messages; must never throw and never delay the caller (style habit 7). */
export interface EventPublisher {
  publish(batches: EventBatch[]): void;
}

/** A delivery that a committed transaction decided; the row in the database is the truth, the hand-over only speed. */
export interface DeliveryRef {
  id: string;
  organizationId: string;
}

export interface DeliveryDispatcher {
  /** Best effort: what is lost here is found by the sweep of the deliveries table. Never throws. */
  dispatch(deliveries: DeliveryRef[]): void;
}

/** One lease of one job. */
export interface LeaseRef {
  organizationId: string;
  jobId: string;
  leaseId: string;
}

/** A lease as somebody shows it; null = whichever this worker, or anybody, holds. */
export interface PresentedLease {
  organizationId: string;
  jobId: string;
  leaseId: string | null;
  workerId: string | null;
}

export type LeaseRenewal = LeaseProof & { organizationId: string; leaseSeconds: number };

/** A lease as a committed transaction has just written it into its row. */
export interface WrittenLease extends LeaseRef {
  workerId: string;
  queueName: string;
  leaseExpiresAt: Timestamp;
  /** When the row's lease ends at the earliest, by `performance.now()` of this process. */
  endsAt: number;
  /** By how many milliseconds it may end later than that. */
  uncertainMs: number;
}

/** What a lease still has, beyond whatever its row says. */
export interface RenewedLease {
  leaseId: string;
  leftMs: number;
}

/**
 * Leases between two writes of their rows (KF-06, KF-07). The row is the truth about who holds a job; the store knows how long
 * a lease lasts beyond the row's own end, and may forget it at any time: then the row decides alone. Entry i of an answer
 * belongs to entry i of the question; nothing here rejects, and nothing takes longer than a fraction of a second.
 */
export interface LeaseStore {
  /**
   * Extends leases to now + duration, where the row holds at least half of that without being written.
   * Answers with the new end, or with null where the row has to decide.
   */
  renew(renewals: LeaseRenewal[]): Promise<(Timestamp | null)[]>;
  /** The leases that live, null for the others. */
  alive(leases: PresentedLease[]): Promise<(RenewedLease | null)[]>;
  /** Takes over what was written. */
  keep(leases: WrittenLease[]): Promise<void>;
  /** Forgets leases whose jobs have ended or gone back; a `keep` that comes late finds them ended. */
  end(leases: LeaseRef[]): Promise<void>;
}
