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

const queryCanceled = '57014';

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** Whether PostgreSQL could not be reached or broke off, as opposed to having refused the statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (networkCodes.has(code) || failoverCodes.has(code)) return true;
  if (code.length === 5) return unavailableClasses.has(code.slice(0, 2)) && code !== queryCanceled;
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Connection ended/i.test(
      error.message,
    )
  );
}

/**
 * Another transaction stood in the way and nothing of this one happened, so that it may be run again: PostgreSQL chose it to break
 * a deadlock, could not serialize it, or found a row that the other one had inserted meanwhile.
 */
export function isTransactionConflict(error: unknown): boolean {
  const code = codeOf(error) || codeOf(error instanceof Error ? error.cause : undefined);
  return code === '40P01' || code === '40001' || code === '23505';
}

/** A unique constraint was violated; `constraint` names it. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    codeOf(error) === '23505' &&
    (constraint === undefined || (error as { constraint?: string }).constraint === constraint)
  );
}

/** Turns whatever a statement threw into the product's error: 503 when PostgreSQL is away, 500 otherwise. */
export function toDatabaseError(error: unknown): SpooledError {
  if (error instanceof SpooledError) return error;
  if (isDatabaseUnavailable(error)) return unavailable('PostgreSQL', 1, error);
  return new SpooledError('DATABASE_ERROR', 'The database refused the operation', { cause: error });
}
