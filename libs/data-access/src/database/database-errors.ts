import { SpooledError, unavailable } from '@spooled/domain';

/** SQLSTATE classes that say "the server is not there for us": connection, resources, operator intervention, system error. */
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
/** A standby or a server in recovery answers these while a failover is under way. */
const failoverCodes = new Set(['25006', '55000']);

/** The server ended the session because its transaction was idle or open for too long. */
const sessionEnded = new Set(['25P03', '25P04']);

const queryCanceled = '57014';
const lockNotAvailable = '55P03';

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** Whether PostgreSQL could not be reached or broke off, as opposed to having refused the statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof CommitLostError) return true;
  const code = codeOf(error);
  if (networkCodes.has(code) || failoverCodes.has(code) || sessionEnded.has(code)) return true;
  if (code.length === 5) return unavailableClasses.has(code.slice(0, 2)) && code !== queryCanceled;
  return (
    error instanceof Error &&
    /Connection terminated|Query read timeout|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Connection ended/i.test(
      error.message,
    )
  );
}

/** Whether PostgreSQL did not answer in time over a connection that was open. */
export const isSilence = (error: unknown): boolean =>
  error instanceof Error && (error.message === 'Query read timeout' || isSilence(error.cause));

/** 503: the connection was lost between COMMIT and its answer, so that the transaction may or may not have happened. */
export class CommitLostError extends SpooledError {
  constructor(cause: unknown) {
    super('SERVICE_UNAVAILABLE', 'PostgreSQL is unavailable', { retryAfterSeconds: 1, cause });
  }
}

/** Whether PostgreSQL was unavailable before COMMIT, so that nothing of the transaction happens. */
export const isLostBeforeCommit = (error: unknown): boolean =>
  error instanceof SpooledError && !(error instanceof CommitLostError) && isDatabaseUnavailable(error.cause);

/** A statement exceeded its lock timeout or its time limit; its transaction was rolled back. */
export function isStatementTimeout(error: unknown): boolean {
  const code = codeOf(error instanceof SpooledError ? error.cause : error);
  return code === lockNotAvailable || code === queryCanceled;
}

/**
 * Another transaction stood in the way and nothing of this one happened, so that it may be run again: PostgreSQL chose it to break
 * a deadlock, could not serialize it, or found a row that the other one had inserted meanwhile.
 */
export function isTransactionConflict(error: unknown): boolean {
  const code = codeOf(error) || codeOf(error instanceof Error ? error.cause : undefined);
  return code === '40P01' || code === '40001' || code === '23505';
}

/** 503: the statement may succeed a moment later. */
export const statementTimeout = (cause: unknown): SpooledError =>
  new SpooledError(
    'SERVICE_UNAVAILABLE',
    'PostgreSQL did not finish the operation in time: other transactions hold its rows, or it is overloaded',
    { retryAfterSeconds: 1, cause },
  );

/** Turns whatever a statement threw into the product's error: 503 when PostgreSQL is away, 500 otherwise. */
export function toDatabaseError(error: unknown): SpooledError {
  if (error instanceof SpooledError) return error;
  if (isDatabaseUnavailable(error)) return unavailable('PostgreSQL', 1, error);
  if (isStatementTimeout(error)) return statementTimeout(error);
  return new SpooledError('DATABASE_ERROR', 'The database refused the operation', { cause: error });
}
