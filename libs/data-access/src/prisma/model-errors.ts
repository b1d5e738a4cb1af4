import { SpooledError, unavailable } from '@spooled/domain';
import { statementTimeoutError, isDatabaseUnavailable, isStatementTimeout } from '../database/database-errors.js';

/** Prisma: unreachable, timed out, closed by the server, no connection in time, transaction could not start. */
const unavailableCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028']);

interface ModelError {
  code?: unknown;
  cause?: unknown;
  meta?: { driverAdapterError?: unknown };
}

/** The nested errors: Prisma wraps the driver's error at varying depths. */
function* layersOf(error: unknown): Generator<ModelError> {
  for (let layer: unknown = error, depth = 0; layer instanceof Object && depth < 5; depth++) {
    const { cause, meta } = layer as ModelError;
    yield layer as ModelError;
    if (cause instanceof Object && 'originalCode' in cause) yield { code: cause.originalCode };
    layer = cause ?? meta?.driverAdapterError;
  }
}

/** Converts an unavailability or timeout of PostgreSQL to a `SpooledError`; returns other errors unchanged. */
export function toModelError(error: unknown): unknown {
  if (error instanceof SpooledError) return error;
  for (const layer of layersOf(error)) {
    if (unavailableCodes.has(String(layer.code)) || isDatabaseUnavailable(layer)) {
      return unavailable('PostgreSQL', 1, error);
    }
    if (isStatementTimeout(layer)) return statementTimeoutError(error);
  }
  return error;
}

/** Whether the error is a violation of a unique constraint. */
export const isDuplicate = (error: unknown): boolean =>
  [...layersOf(error)].some(({ code }) => code === 'P2002' || code === '23505');
