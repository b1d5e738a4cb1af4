import type { Command, CommandKind, CommandOf, CommandResult, Outcome } from './commands.js';
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

export interface DeliveryHandover {
  /** Best effort: what is lost here is found by the sweep of the deliveries table. Never throws. */
  handOver(deliveries: DeliveryRef[]): void;
}
