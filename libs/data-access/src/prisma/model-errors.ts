import { SpooledError, unavailable } from '@spooled/domain';
import { statementTimeoutError, isDatabaseUnavailable, isStatementTimeout } from '../database/database-errors.js';

/** Prisma: cannot reach, timed out, closed by the server, no connection in time, transaction could not begin. */
const unavailableCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028']);

interface ModelError {
  code?: unknown;
  cause?: unknown;
  meta?: { driverAdapterError?: unknown };
}

/** Prisma wraps what the driver threw, at depths that differ by case. */
function* layersOf(error: unknown): Generator<ModelError> {
  for (let layer: unknown = error, depth = 0; layer instanceof Object && depth < 5; depth++) {
    const { cause, meta } = layer as ModelError;
    yield layer as ModelError;
    if (cause instanceof Object && 'originalCode' in cause) yield { code: cause.originalCode };
    layer = cause ?? meta?.driverAdapterError;
  }
}

/** The product's error for what a model threw, where it is one; anything else comes back as it is. */
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

/** Whether a model refused a value because another row has it. */
export const isDuplicate = (error: unknown): boolean =>
  [...layersOf(error)].some(({ code }) => code === 'P2002' || code === '23505');
