/** The error codes that callers may see; each belongs to one HTTP status. */
export const errorStatus = {
  VALIDATION_ERROR: 400,
  INVALID_JSON: 400,
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  AUTHENTICATION_FAILED: 401,
  ACCESS_DENIED: 403,
  FEATURE_DISABLED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  LEASE_EXPIRED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  QUOTA_EXCEEDED: 429,
  RATE_LIMIT_EXCEEDED: 429,
  /** An operator has limited new jobs of this key, queue or tag. */
  THROTTLED: 429,
  INTERNAL_ERROR: 500,
  DATABASE_ERROR: 500,
  NOT_IMPLEMENTED: 501,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** The serializable form of an error: everything that a response needs, nothing private to the process. */
export interface ErrorShape {
  code: ErrorCode;
  status: number;
  message: string;
  /** `{field: reason}`; always an object, because the Go SDK decodes it as a map. */
  details?: Record<string, string>;
  /** Further top-level members of the error body, such as `resource`, `current` and `limit`. */
  extras?: Record<string, unknown>;
  /** Seconds for the `Retry-After` header. */
  retryAfterSeconds?: number;
}

/** The product's only error type, mapped to HTTP or gRPC statuses; any other error is a bug and becomes a plain 500. */
export class SpooledError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details?: Record<string, string>;
  readonly extras?: Record<string, unknown>;
  readonly retryAfterSeconds?: number;

  constructor(
    code: ErrorCode,
    message: string,
    more: Partial<Omit<ErrorShape, 'code' | 'message'>> & { cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'SpooledError';
    this.code = code;
    this.status = more.status ?? errorStatus[code];
    this.details = more.details;
    this.extras = more.extras;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }

  toShape(): ErrorShape {
    const { code, status, message, details, extras, retryAfterSeconds } = this;
    return { code, status, message, details, extras, retryAfterSeconds };
  }

  static fromShape(shape: ErrorShape): SpooledError {
    return new SpooledError(shape.code, shape.message, shape);
  }
}

/** A field of the right type but out of bounds: 400. `field` names it as the caller wrote it. */
export const invalidField = (field: string, reason: string): SpooledError =>
  new SpooledError('VALIDATION_ERROR', `${field}: ${reason}`, {
    details: { [field]: reason },
    extras: { error: 'Validation failed' },
  });

export const badRequest = (message: string): SpooledError => new SpooledError('BAD_REQUEST', message);
export const unauthorized = (message: string): SpooledError => new SpooledError('UNAUTHORIZED', message);
export const authenticationFailed = (message: string): SpooledError =>
  new SpooledError('AUTHENTICATION_FAILED', message);
export const accessDenied = (message: string): SpooledError => new SpooledError('ACCESS_DENIED', message);
export const notFound = (what: string): SpooledError => new SpooledError('NOT_FOUND', `${what} not found`);
export const conflict = (message: string): SpooledError => new SpooledError('CONFLICT', message);
/** The lease has expired, or the job has another one or none by now. Published gRPC clients recognize it by this text. */
export const leaseExpired = (): SpooledError =>
  new SpooledError('LEASE_EXPIRED', "Lease expired: lease_id does not match the job's current lease");

/** A route that the API has and this server does not support. */
export const notImplemented = (message: string): SpooledError => new SpooledError('NOT_IMPLEMENTED', message);

/** A dependency is down or overloaded. `dependency` is named to the caller and in the log line. */
export const unavailable = (dependency: string, retryAfterSeconds = 1, cause?: unknown): SpooledError =>
  new SpooledError('SERVICE_UNAVAILABLE', `${dependency} is unavailable`, { retryAfterSeconds, cause });

export const internalError = (cause?: unknown): SpooledError =>
  new SpooledError('INTERNAL_ERROR', 'Internal error', { cause });

/** What a plan allows, and the plan that allows more; null if none does. */
interface ExceededLimit {
  current: number;
  limit: number;
  plan: string;
  upgradeTo: string | null;
}

/** A document is larger than the server or the plan allows; both numbers are bytes of its JSON text. */
export const payloadTooLarge = (field: string, { current, limit, plan, upgradeTo }: ExceededLimit): SpooledError =>
  new SpooledError('PAYLOAD_TOO_LARGE', `${field}: ${current} bytes exceed the limit of ${limit} bytes`, {
    extras: { error: 'payload_too_large', current, limit, plan, upgrade_to: upgradeTo },
  });

/** The plan has no such feature at all. `feature` names it in lower case. */
export const featureDisabled = (feature: string, plan: string, upgradeTo: string | null): SpooledError =>
  new SpooledError('FEATURE_DISABLED', `${feature} are not part of the ${plan} plan`, {
    extras: { error: 'feature_disabled', feature, plan, upgrade_to: upgradeTo },
  });

/** A plan's hard cap was reached. No Retry-After: SDKs retry every 429, and waiting does not help here. */
export const quotaExceeded = (resource: string, { current, limit, plan, upgradeTo }: ExceededLimit): SpooledError =>
  new SpooledError('QUOTA_EXCEEDED', `${resource} limit reached (${current}/${limit}). Upgrade your plan for more.`, {
    extras: { error: 'limit_exceeded', resource, current, limit, plan, upgrade_to: upgradeTo },
  });
