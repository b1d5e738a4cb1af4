import { isPoolerRefusal, SpooledError, unavailable } from '@spooled/domain';

/** SQLSTATE classes that mean "server unavailable": connection, resources, operator intervention, system error. */
const unavailableClasses = new Set(['08', '53', '57', '58']);
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);
/** Raised by a standby or a server in recovery during a failover. */
const failoverCodes = new Set(['25006', '55000']);

/** The server closed the session because its transaction was idle or open for too long. */
const sessionEndedCodes = new Set(['25P03', '25P04']);

const queryCanceled = '57014';
const lockNotAvailable = '55P03';

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** Whether PostgreSQL could not be reached or closed the connection, as opposed to rejecting the statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof CommitLostError) return true;
  const code = codeOf(error);
  if (networkCodes.has(code) || failoverCodes.has(code) || sessionEndedCodes.has(code)) return true;
  if (code.length === 5) return unavailableClasses.has(code.slice(0, 2)) && code !== queryCanceled;
  return (
    error instanceof Error &&
    /Connection terminated|Query read timeout|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Connection ended/i.test(
      error.message,
    )
  );
}

/** SQLSTATE classes of a refused login, and of a database that does not exist. */
const refusedClasses = new Set(['28', '3D']);
const protocolViolation = '08P01';

/** Whether PostgreSQL or PgBouncer refused the login: waiting does not help. PgBouncer reports it as a violation of the protocol. */
export function isLoginRefused(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== protocolViolation) return refusedClasses.has(code.slice(0, 2));
  return error instanceof Error && isPoolerRefusal(error.message);
}

/** Whether a statement was refused because an earlier one of its transaction has failed. */
export const isAbortedTransaction = (error: unknown): boolean => codeOf(error) === '25P02';

/** Whether PostgreSQL did not answer in time on an open connection. */
export const isReadTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.message === 'Query read timeout' || isReadTimeout(error.cause));

/** 503: the connection was lost between COMMIT and its response, so the transaction may or may not be committed. */
export class CommitLostError extends SpooledError {
  constructor(cause: unknown) {
    super('SERVICE_UNAVAILABLE', 'PostgreSQL is unavailable', { retryAfterSeconds: 1, cause });
  }
}

/** Whether PostgreSQL became unavailable before COMMIT, so the transaction was certainly not committed. */
export const isLostBeforeCommit = (error: unknown): boolean =>
  error instanceof SpooledError && !(error instanceof CommitLostError) && isDatabaseUnavailable(error.cause);

/** A statement exceeded its lock timeout or its time limit; its transaction was rolled back. */
export function isStatementTimeout(error: unknown): boolean {
  const code = codeOf(error instanceof SpooledError ? error.cause : error);
  return code === lockNotAvailable || code === queryCanceled;
}

/**
 * Whether the transaction was rolled back because of a concurrent one and can be retried: a deadlock, a serialization
 * failure or a duplicate key.
 */
export function isTransactionConflict(error: unknown): boolean {
  const code = codeOf(error) || codeOf(error instanceof Error ? error.cause : undefined);
  return code === '40P01' || code === '40001' || code === '23505';
}

/** Whether the error is a violation of a unique constraint. */
export const isDuplicate = (error: unknown): boolean =>
  codeOf(error instanceof SpooledError ? error.cause : error) === '23505';

/** 503: the statement may succeed when retried. */
export const statementTimeoutError = (cause: unknown): SpooledError =>
  new SpooledError(
    'SERVICE_UNAVAILABLE',
    'PostgreSQL did not finish the operation in time: rows are locked by other transactions, or the server is overloaded',
    { retryAfterSeconds: 1, cause },
  );

/** Converts an error of a statement to a `SpooledError`: 503 when PostgreSQL is unavailable or timed out, 500 otherwise. */
export function toDatabaseError(error: unknown): SpooledError {
  if (error instanceof SpooledError) return error;
  if (isDatabaseUnavailable(error)) return unavailable('PostgreSQL', 1, error);
  if (isStatementTimeout(error)) return statementTimeoutError(error);
  return new SpooledError('DATABASE_ERROR', 'The database rejected the operation', { cause: error });
}
