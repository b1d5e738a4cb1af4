/** How long one statement of a transaction may take, in milliseconds. */
export interface TransactionLimits {
  /** 0 = as long as it needs, for rare maintenance that nobody waits for. Default: from the setting. */
  statementMs?: number;
  /** How long a statement may wait for a lock; default: as long as it may take. */
  lockMs?: number;
}

/** For rare work over much data, for which nobody waits. */
export const asLongAsNeeded: TransactionLimits = { statementMs: 0 };

/** For requests that may touch all that a tenant has. */
export const lengthy: TransactionLimits = { statementMs: 60_000 };

/** How much longer the client waits than the server works: the server's own refusal comes first where the connection lives. */
const clientGraceMs = 500;
/** The longest delay that a timer takes. */
const never = 2 ** 31 - 1;

/** What PostgreSQL and the driver are told about one transaction. */
export interface TransactionPlan {
  /** Opens the transaction. Its settings end with it, as PgBouncer in transaction mode needs, and travel with BEGIN for nothing. */
  begin: string;
  /** The driver closes a connection that is silent for longer. */
  queryTimeoutMs: number;
  /** Whether somebody waits for it. */
  limited: boolean;
}

/**
 * The server ends statements, lock waits and idle transactions before the driver gives up: what an abandoned transaction holds is
 * free again when its work is run a second time on another connection.
 */
export function planTransaction(queryTimeoutMs: number, limits: TransactionLimits = {}): TransactionPlan {
  if (limits.statementMs === 0) return { begin: 'BEGIN', queryTimeoutMs: never, limited: false };
  const { statement, idle } = serverLimits(queryTimeoutMs, limits);
  const lock = limits.lockMs === undefined ? '' : `; SET LOCAL lock_timeout = ${limits.lockMs}`;
  return {
    begin: `BEGIN; SET LOCAL statement_timeout = ${statement}; SET LOCAL idle_in_transaction_session_timeout = ${idle}${lock}`,
    queryTimeoutMs: Number(statement) + clientGraceMs,
    limited: true,
  };
}

/** PostgreSQL's settings for every limited transaction, as texts in milliseconds. */
export function serverLimits(queryTimeoutMs: number, { statementMs }: TransactionLimits = {}) {
  return { statement: String(statementMs ?? queryTimeoutMs - clientGraceMs), idle: String(idleLimit(queryTimeoutMs)) };
}

/** How long a transaction may pause between two statements. Less than `queryTimeoutMs`, see `planTransaction`. */
export const idleLimit = (queryTimeoutMs: number): number => Math.round((queryTimeoutMs * 2) / 3);
