/** How long one statement of a transaction may take, in milliseconds. */
export interface TransactionLimits {
  /** 0 = as long as it needs, for rare maintenance that nobody waits for. Default: from the setting. */
  statementMs?: number;
  /** How long a statement may wait for a lock; default: as long as it may take. */
  lockMs?: number;
  /** It is idle for long between its statements; PostgreSQL does not end it for that, unless told by the transaction itself. */
  idles?: boolean;
}

/** For rare work over much data, for which nobody waits. */
export const unlimitedTime: TransactionLimits = { statementMs: 0 };

/** For requests that may touch all that a tenant has. */
export const longRunning: TransactionLimits = { statementMs: 60_000 };

/** For a transaction that is kept open around the work of others. */
export const holdsOnlyALock: TransactionLimits = { idles: true };

/** How much longer the client waits than the server works: the server's own refusal comes first where the connection lives. */
const clientGraceMs = 500;
/** After which even work without a limit is taken for lost, so that a silent connection does not keep it for good. */
const lostAfterMs = 3_600_000;

/** What PostgreSQL and the driver are told about one transaction. */
export interface TransactionPlan {
  /** Opens the transaction. Its settings end with it, as PgBouncer in transaction mode needs, and travel with BEGIN for nothing. */
  begin: string;
  /** The driver closes a connection that is silent for longer. */
  queryTimeoutMs: number;
  /** Whether it is to be over soon, so that it says something about PostgreSQL when it is not. */
  limited: boolean;
}

/**
 * The server ends statements, lock waits and idle transactions before the driver gives up: what an abandoned transaction holds is
 * free again when its work is run a second time on another connection.
 */
export function planTransaction(queryTimeoutMs: number, limits: TransactionLimits = {}): TransactionPlan {
  if (limits.statementMs === 0) return { begin: 'BEGIN', queryTimeoutMs: lostAfterMs, limited: false };
  const { statement, idle } = serverLimits(queryTimeoutMs, limits);
  const begin = ['BEGIN', `SET LOCAL statement_timeout = ${statement}`];
  if (!limits.idles) begin.push(`SET LOCAL idle_in_transaction_session_timeout = ${idle}`);
  if (limits.lockMs !== undefined) begin.push(`SET LOCAL lock_timeout = ${limits.lockMs}`);
  return { begin: begin.join('; '), queryTimeoutMs: Number(statement) + clientGraceMs, limited: !limits.idles };
}

/** PostgreSQL's settings for every limited transaction, as texts in milliseconds. */
export function serverLimits(queryTimeoutMs: number, { statementMs }: TransactionLimits = {}) {
  return { statement: String(statementMs ?? queryTimeoutMs - clientGraceMs), idle: String(idleLimit(queryTimeoutMs)) };
}

/** How long a transaction may pause between two statements. Less than `queryTimeoutMs`, see `planTransaction`. */
const idleLimit = (queryTimeoutMs: number): number => Math.round((queryTimeoutMs * 2) / 3);
