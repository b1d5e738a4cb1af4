import { flag, setting } from '@spooled/platform';
import {
  type RateLimit,
  RateLimiter,
  type RateLimitResult,
  type RedisShards,
  type Take,
  unlimited,
} from '@spooled/transport';

/** What doors do about rates while Redis is down. */
export const rateLimitSettings = {
  RATE_LIMIT_FAIL_CLOSED: setting(flag().default(false), 'Refuse with 503, instead of allowing, while Redis is down.'),
};

/** What servers need of rate limits, and the token by which they get it. */
export abstract class RateLimits {
  /** @throws SpooledError 503 when the counters cannot be reached and the limit fails closed */
  abstract check(subject: string, limits: RateLimit[], failClosed?: boolean): Promise<RateLimitResult>;
  /** As so many calls of `check`, of which as many are granted as fit. @throws SpooledError 503, as `check` */
  abstract take(subject: string, limits: RateLimit[], wanted: number, failClosed?: boolean): Promise<Take>;
  /** Forgets what was counted under these keys. Never throws. */
  abstract reset(subject: string, keys: string[]): Promise<void>;
}

/** Counts nothing: a deployment without Redis has no limits on rates. */
const uncounted: RateLimits = {
  check: (_subject, limits) => Promise.resolve(unlimited(limits[0]!)),
  take: (_subject, limits, wanted) => Promise.resolve({ granted: wanted, last: unlimited(limits[0]!) }),
  reset: () => Promise.resolve(),
};

/** The limiter that all replicas share through Redis. */
export const openRateLimiter = (
  redis: RedisShards | null,
  settings: { RATE_LIMIT_FAIL_CLOSED: boolean },
): RateLimits => (redis ? new RateLimiter(redis, { failClosed: settings.RATE_LIMIT_FAIL_CLOSED }) : uncounted);
