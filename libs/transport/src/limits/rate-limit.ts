/** Whose requests a limit counts, as responses name it. `admin` and `login` limit guesses at secrets, `throttle` new jobs. */
export type RateLimitScope = 'organization' | 'api_key' | 'console' | 'ip' | 'admin' | 'login' | 'throttle' | 'signal';

/** A limit and the key of its counter (from `rateLimitKeys`). `cost` defaults to one. */
export type RateLimit = { key: string; scope: RateLimitScope; cost?: number } & (
  | { kind: 'bucket'; ratePerSecond: number; burst: number }
  | { kind: 'window'; limit: number; windowSeconds: number }
);

/** The state of the limit that is nearest to refusing, or refuses for longest. */
export interface RateLimitResult {
  allowed: boolean;
  scope: RateLimitScope;
  limit: number;
  remaining: number;
  /** When the limit is full again, in whole seconds. */
  resetAtUnix: number;
  /** 0 when allowed; otherwise 1 to 60. */
  retryAfterSeconds: number;
}

/** Result of several calls: as many as fit are granted; `last` is the state of the last granted or the first refused one. */
export interface TakeResult {
  granted: number;
  last: RateLimitResult;
}

/** Rate limiter and its injection token: shared through Redis, or per process. `subject`: what the limits count (organization id, address). */
export abstract class RateLimits {
  /**
   * Takes from all limits, or from none when one refuses.
   * @param failClosed overrides the limiter's setting
   * @throws SpooledError 503 when Redis is unavailable and the limiter fails closed
   */
  async check(subject: string, limits: RateLimit[], failClosed?: boolean): Promise<RateLimitResult> {
    return (await this.take(subject, limits, 1, failClosed)).last;
  }

  /** As `wanted` calls of `check`; grants as many as fit. 0 = only the state. */
  abstract take(subject: string, limits: RateLimit[], wanted: number, failClosed?: boolean): Promise<TakeResult>;
  /**
   * Takes `amount` calls that have already had their effect, even if they do not fit: later calls wait until the debt is refilled. While
   * Redis is down this process counts them, also when the limiter fails closed. Never throws.
   */
  abstract charge(subject: string, limits: RateLimit[], amount: number): Promise<RateLimitResult>;
  /** Refunds an allowed call of `check` that should not count, such as a successful authentication attempt. Best effort; never waits. */
  abstract refund(subject: string, limits: RateLimit[]): void;
  /** Resets these counters of `subject`, so that a raised limit is full at once. Never throws. */
  abstract reset(subject: string, names: string[]): Promise<void>;
}

/** State of a limit after the allowed calls. */
export type LimitState = [fitsOneMore: 0 | 1, remaining: number, retryMs: number, resetMs: number];

/** Limit of `Retry-After`, which clients obey; only hourly limits need more. */
const longestRetrySeconds = 60;

export const sizeOf = (limit: RateLimit): number => (limit.kind === 'bucket' ? limit.burst : limit.limit);

/** The state of the limit that refuses for longest or, if none does, that has the fewest calls left. `now` in milliseconds. */
export function resultOf(limits: RateLimit[], states: LimitState[], now: number, allowed: boolean): RateLimitResult {
  let index = 0;
  for (let i = 1; i < states.length; i++) {
    if (isTighter(states[i]!, limits[i]!, states[index]!, limits[index]!)) index = i;
  }
  const [, remaining, retryMs, resetMs] = states[index]!;
  return {
    allowed,
    scope: limits[index]!.scope,
    limit: sizeOf(limits[index]!),
    remaining: allowed ? remaining : 0,
    resetAtUnix: Math.ceil((now + resetMs) / 1000),
    retryAfterSeconds: allowed ? 0 : Math.min(longestRetrySeconds, Math.max(1, Math.ceil(retryMs / 1000))),
  };
}

function isTighter(one: LimitState, oneLimit: RateLimit, other: LimitState, otherLimit: RateLimit): boolean {
  if (one[2] !== other[2]) return one[2] > other[2];
  return one[1] / (oneLimit.cost ?? 1) < other[1] / (otherLimit.cost ?? 1);
}
