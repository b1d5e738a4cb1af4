/** The error of a call. `status` is 0 without a response. */
export class SpooledError extends Error {
  /** Seconds to wait before a retry; null if the server does not say. */
  retryAfter: number | null = null;

  constructor(
    message: string,
    readonly status: number,
    /** Stable error code, such as `NOT_FOUND`. */
    readonly code: string,
    /** For invalid input: problems by field. */
    readonly details: Record<string, unknown> = {},
    /** Request id, as in the server's log; null without a response. */
    readonly requestId: string | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** 400, 413, 415, 422: the request is invalid. */
export class ValidationError extends SpooledError {}
/** 401: missing, unknown, expired or revoked credential. */
export class AuthenticationError extends SpooledError {}
/** 403: the credential does not permit this. */
export class AccessDeniedError extends SpooledError {}
/** 404: unknown, or of another organization. */
export class NotFoundError extends SpooledError {}
/** 409: the state of the resource does not allow it. */
export class ConflictError extends SpooledError {}
/** 409: the lease has expired; another worker may run the job. */
export class LeaseExpiredError extends ConflictError {}
/** 429: a plan limit is reached; `retryAfter` does not apply. */
export class QuotaExceededError extends SpooledError {}
/** 5xx and 408: the server failed. */
export class ServerError extends SpooledError {}

/** No response: connection refused, broken or timed out. `cause` has the reason. */
export class NetworkError extends SpooledError {
  constructor(message: string, cause: unknown) {
    super(message, 0, 'NETWORK_ERROR', {}, null, { cause });
  }

  /** True if the server cannot have received the request. */
  get neverSent(): boolean {
    const { code } = deepestCause(this) as { code?: unknown };
    return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN';
  }
}

/** 429: too many requests; see `retryAfter`. */
export class RateLimitError extends SpooledError {}

/** Of responses without a code: no server of Spooled wrote them. */
export const unknownCode = 'UNKNOWN_ERROR';

/** Whether something else has answered, such as a proxy. Its 413 is about the size of the request, all else about no request of Spooled. */
export const isForeign = (error: unknown): boolean =>
  error instanceof SpooledError && error.code === unknownCode && error.status !== 413;

/** Whether a completion was refused because an earlier attempt at it has succeeded, whose response was lost. */
export const isAlreadyCompleted = (error: unknown): boolean =>
  error instanceof ConflictError && !(error instanceof LeaseExpiredError) && !isForeign(error);

/** Whether the lease of a report has ended, or its job is gone. */
export const isOfLostLease = (error: unknown): boolean =>
  (error instanceof ConflictError || error instanceof NotFoundError) && !isForeign(error);

/** Statuses of errors that say nothing about the request: unknown or lost (404, 409), slow (408), too frequent (429). */
const notRefused = new Set([404, 408, 409, 429]);

/** Whether a request would fail again: it cannot be written as JSON, or the server refused it. */
export const isRefusal = (error: unknown): boolean =>
  !(error instanceof SpooledError) ||
  (error.status >= 400 && error.status < 500 && !notRefused.has(error.status) && !isForeign(error));

const byStatus = new Map<number, typeof SpooledError>([
  [400, ValidationError],
  [401, AuthenticationError],
  [403, AccessDeniedError],
  [404, NotFoundError],
  [408, ServerError],
  [409, ConflictError],
  [413, ValidationError],
  [415, ValidationError],
  [422, ValidationError],
  [429, RateLimitError],
]);
const byCode = new Map<string, typeof SpooledError>([
  ['LEASE_EXPIRED', LeaseExpiredError],
  ['QUOTA_EXCEEDED', QuotaExceededError],
]);

/** The error for a response that is not 2xx. `body` may be anything, because proxies respond too. */
export function errorOf(status: number, headers: Headers, body: unknown): SpooledError {
  const { message, error, code, details } = asRecord(body);
  const text = firstText(message, error) ?? `The server responded with ${status}`;
  const errorCode = firstText(code) ?? unknownCode;
  const kind = byCode.get(errorCode) ?? byStatus.get(status) ?? (status >= 500 ? ServerError : SpooledError);
  const failure = new kind(text, status, errorCode, asRecord(details), headers.get('x-request-id'));
  failure.retryAfter = secondsOf(headers.get('retry-after'));
  return failure;
}

/** What is needed of a request to name it. */
interface NamedRequest {
  method: string;
  path: string;
}

/** The error for a success that is none of Spooled: nobody knows whether the request was executed. */
export const foreignResponse = ({ method, path }: NamedRequest, status: number, problem: string): SpooledError =>
  new SpooledError(
    `The response to ${method} ${path} ${problem}: what answers at this URL is no server of Spooled`,
    status,
    'FOREIGN_RESPONSE',
  );

/** The error for a redirect, which is not followed. */
export function redirected({ method, path }: NamedRequest, { status, headers }: Response): SpooledError {
  const to = headers.get('location');
  const where = to === null ? '' : ` to ${to}`;
  const remedy = 'redirects are not followed, use the final URL of the server';
  return new SpooledError(`${method} ${path} was redirected${where}: ${remedy}`, status, 'REDIRECTED');
}

/** The error for one item of a bulk response, the same as for a single request. */
export function errorOfItem(problem: {
  code: string;
  message: string;
  details?: Record<string, string>;
}): SpooledError {
  return errorOf(statusOf.get(problem.code) ?? 500, new Headers(), problem);
}

const statusOf = new Map([
  ['BAD_REQUEST', 400],
  ['VALIDATION_ERROR', 400],
  ['NOT_FOUND', 404],
  ['CONFLICT', 409],
  ['LEASE_EXPIRED', 409],
  ['PAYLOAD_TOO_LARGE', 413],
  ['SERVICE_UNAVAILABLE', 503],
]);

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const firstText = (...values: unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '');

const secondsOf = (header: string | null): number | null =>
  header !== null && /^\d+$/.test(header) ? Number(header) : null;

function deepestCause(error: unknown): unknown {
  const cause = (error as { cause?: unknown }).cause;
  return typeof cause === 'object' && cause !== null ? deepestCause(cause) : error;
}
