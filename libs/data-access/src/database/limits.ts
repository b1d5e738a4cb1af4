/** Limits of a transaction, in milliseconds, and its isolation. */
export interface TransactionLimits {
  /** Statement timeout. Default: derived from `queryTimeoutMs`; 'none' is for maintenance that no request waits for. */
  timeoutMs?: number | 'none';
  /** Lock timeout; default: the statement timeout, also where that is 'none'. */
  lockMs?: number;
  /** Sets no idle timeout, for a transaction that is idle for long between its statements. */
  mayIdle?: boolean;
  /** All statements see the same state of the database, and none may write. */
  repeatableRead?: boolean;
}

/** For reads of several statements that must see the same state. */
export const repeatableRead: TransactionLimits = { repeatableRead: true };

/** For a transaction that only holds a lock while other transactions do the work. */
export const lockHolderLimits: TransactionLimits = { mayIdle: true };

/** The client waits this much longer than the server's timeout, so that on a working connection the server's error comes first. */
const clientGraceMs = 500;
/** Query timeout of work without a limit, so that a dead connection does not block it indefinitely. */
const maxSilenceMs = 3_600_000;

/** Settings of one transaction for PostgreSQL and the driver. */
export interface TransactionPlan {
  /** BEGIN and the SET LOCAL statements, in one round trip. SET LOCAL, because PgBouncer pools connections by transaction. */
  begin: string;
  /** The driver closes a connection that has not responded for this long. */
  queryTimeoutMs: number;
  /** Whether it is expected to finish soon; only such transactions count for the readiness check. */
  limited: boolean;
}

/**
 * The server's timeouts for statements, locks and idle transactions are shorter than the driver's: the locks of an abandoned
 * transaction are released before its work is retried on another connection. Nothing waits for a lock without a limit: an application
 * may hold locks for as long as it likes, and others wait behind who waits for them.
 */
export function planTransaction(queryTimeoutMs: number, limits: TransactionLimits = {}): TransactionPlan {
  const { timeoutMs } = limits;
  if (timeoutMs === 'none') {
    const lock = limits.lockMs ?? serverLimits(queryTimeoutMs).statement;
    return { begin: `BEGIN; SET LOCAL lock_timeout = ${lock}`, queryTimeoutMs: maxSilenceMs, limited: false };
  }
  const { statement, idle } = serverLimits(queryTimeoutMs, timeoutMs);
  const begin = [
    limits.repeatableRead ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN',
    `SET LOCAL statement_timeout = ${statement}`,
  ];
  if (!limits.mayIdle) begin.push(`SET LOCAL idle_in_transaction_session_timeout = ${idle}`);
  if (limits.lockMs !== undefined) begin.push(`SET LOCAL lock_timeout = ${limits.lockMs}`);
  return { begin: begin.join('; '), queryTimeoutMs: Number(statement) + clientGraceMs, limited: !limits.mayIdle };
}

/** PostgreSQL's timeout settings of a limited transaction, as strings in milliseconds. */
export function serverLimits(queryTimeoutMs: number, timeoutMs?: number) {
  return { statement: String(timeoutMs ?? queryTimeoutMs - clientGraceMs), idle: String(idleLimit(queryTimeoutMs)) };
}

/** Idle timeout between two statements. Less than `queryTimeoutMs`, see `planTransaction`. */
const idleLimit = (queryTimeoutMs: number): number => Math.round((queryTimeoutMs * 2) / 3);
