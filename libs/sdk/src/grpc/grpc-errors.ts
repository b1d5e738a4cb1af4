import { type ServiceError, status } from '@grpc/grpc-js';
import type { SpooledError } from '../http/errors.js';
import {
  AccessDeniedError,
  AuthenticationError,
  ConflictError,
  errorOf,
  LeaseExpiredError,
  NetworkError,
  NotFoundError,
  RateLimitError,
  ServerError,
  ValidationError,
} from '../http/errors.js';

/** Complete and Fail answer so for a lost lease, and for a job that is completed already; only the text tells them apart. */
const failedPrecondition = (message: string): SpooledError =>
  message.includes('already completed')
    ? new ConflictError(message, 409, 'CONFLICT')
    : new LeaseExpiredError(message, 409, 'LEASE_EXPIRED');

const kinds = new Map<string, (message: string) => SpooledError>([
  ['UNAUTHENTICATED', (message) => new AuthenticationError(message, 401, 'UNAUTHORIZED')],
  ['PERMISSION_DENIED', (message) => new AccessDeniedError(message, 403, 'ACCESS_DENIED')],
  ['INVALID_ARGUMENT', (message) => new ValidationError(message, 400, 'VALIDATION_ERROR')],
  ['NOT_FOUND', (message) => new NotFoundError(message, 404, 'NOT_FOUND')],
  ['FAILED_PRECONDITION', failedPrecondition],
  ['CONFLICT', (message) => new ConflictError(message, 409, 'CONFLICT')],
  ['LEASE_EXPIRED', (message) => new LeaseExpiredError(message, 409, 'LEASE_EXPIRED')],
  ['RESOURCE_EXHAUSTED', (message) => new RateLimitError(message, 429, 'RATE_LIMIT_EXCEEDED')],
  ['RATE_LIMIT_EXCEEDED', (message) => new RateLimitError(message, 429, 'RATE_LIMIT_EXCEEDED')],
  ['UNAVAILABLE', (message) => new NetworkError(message, undefined)],
  ['DEADLINE_EXCEEDED', (message) => new NetworkError(message, undefined)],
  ['CANCELLED', (message) => new NetworkError(message, undefined)],
]);

/** The error for a gRPC status or for the code of an error message within a stream. */
export const errorOfCode = (code: string, message: string): SpooledError =>
  kinds.get(code)?.(message) ?? new ServerError(message, 500, code);

export function errorOfCall({ code, details }: ServiceError): SpooledError {
  // gRPC's words for a plain HTTP response: a proxy wrote it, and it must not look like a refusal by Spooled.
  const ofProxy = /^Received HTTP status code (4\d\d)$/.exec(details)?.[1];
  return ofProxy ? errorOf(Number(ofProxy), new Headers(), undefined) : errorOfCode(status[code] ?? '', details);
}

/** As `errorOfCall`, for a call with a single request: gRPC itself refuses a message above the limit with the status of a rate limit. */
export const errorOfRequest = (error: ServiceError): SpooledError =>
  error.code === status.RESOURCE_EXHAUSTED && /message.* larger than/i.test(error.details)
    ? new ValidationError(error.details, 413, 'PAYLOAD_TOO_LARGE')
    : errorOfCall(error);
