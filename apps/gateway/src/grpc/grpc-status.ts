import { Metadata, status, type StatusObject } from '@grpc/grpc-js';
import type { ErrorResponse } from '@spooled/contracts/grpc';
import type { ErrorCode, SpooledError } from '@spooled/domain';
import { rateHeaders } from '@spooled/service';
import type { RateLimitResult } from '@spooled/transport';

const statusCodes: Record<ErrorCode, status> = {
  VALIDATION_ERROR: status.INVALID_ARGUMENT,
  INVALID_JSON: status.INVALID_ARGUMENT,
  BAD_REQUEST: status.INVALID_ARGUMENT,
  UNSUPPORTED_MEDIA_TYPE: status.INVALID_ARGUMENT,
  PAYLOAD_TOO_LARGE: status.INVALID_ARGUMENT,
  UNAUTHORIZED: status.UNAUTHENTICATED,
  AUTHENTICATION_FAILED: status.UNAUTHENTICATED,
  ACCESS_DENIED: status.PERMISSION_DENIED,
  FEATURE_DISABLED: status.PERMISSION_DENIED,
  NOT_FOUND: status.NOT_FOUND,
  METHOD_NOT_ALLOWED: status.UNIMPLEMENTED,
  REQUEST_TIMEOUT: status.DEADLINE_EXCEEDED,
  CONFLICT: status.FAILED_PRECONDITION,
  LEASE_EXPIRED: status.FAILED_PRECONDITION,
  QUOTA_EXCEEDED: status.RESOURCE_EXHAUSTED,
  RATE_LIMIT_EXCEEDED: status.RESOURCE_EXHAUSTED,
  THROTTLED: status.RESOURCE_EXHAUSTED,
  INTERNAL_ERROR: status.INTERNAL,
  DATABASE_ERROR: status.INTERNAL,
  NOT_IMPLEMENTED: status.UNIMPLEMENTED,
  SERVICE_UNAVAILABLE: status.UNAVAILABLE,
};

export const statusOf = ({ code }: SpooledError): status => statusCodes[code];

/** The status of a call that ends with an error. Published clients tell errors of one status apart by this text. */
export function toStatus(error: SpooledError): StatusObject {
  const metadata = new Metadata();
  if (error.retryAfterSeconds !== undefined) metadata.set('retry-after', String(error.retryAfterSeconds));
  return { code: statusOf(error), details: error.message, metadata };
}

/** Adds the state of a limit. */
export function setRate(metadata: Metadata, rate: RateLimitResult): void {
  for (const [name, value] of Object.entries(rateHeaders(rate))) metadata.set(name, String(value));
}

/** Codes of errors whose status has several. */
const sameCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['LEASE_EXPIRED', 'CONFLICT']);
const streamCodes: Partial<Record<status, string>> = {
  [status.INVALID_ARGUMENT]: 'INVALID_ARGUMENT',
  [status.UNAUTHENTICATED]: 'UNAUTHENTICATED',
  [status.PERMISSION_DENIED]: 'PERMISSION_DENIED',
  [status.NOT_FOUND]: 'NOT_FOUND',
  [status.RESOURCE_EXHAUSTED]: 'RATE_LIMIT_EXCEEDED',
};

/** The error as a response within a stream, which continues. */
export const toErrorResponse = (error: SpooledError): ErrorResponse => ({
  code: sameCodes.has(error.code) ? error.code : (streamCodes[statusOf(error)] ?? 'INTERNAL'),
  message: error.message,
});
