import type { ErrorShape } from '@spooled/domain';
import { internalError, SpooledError as DomainError } from '@spooled/domain';
import type { SpooledError } from '@spooled/sdk';
import { errorOf } from '@spooled/sdk/internal';

/** The error that a client of the API gets for the same problem, so that handlers of errors need not change either. */
export function toSdkError(thrown: unknown): SpooledError {
  const error = thrown instanceof DomainError ? thrown : internalError(thrown);
  const { status, retryAfterSeconds, ...body }: ErrorShape = error.toShape();
  const headers = new Headers(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) });
  const result = errorOf(status, headers, body);
  result.cause = error.cause;
  return result;
}

/** The result of `work`. @throws SpooledError of the SDK */
export async function withSdkErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toSdkError(error);
  }
}
