import { flag, setting } from '@spooled/platform';
import { type RateLimit, RateLimiter, type RedisShards } from '@spooled/transport';

/** What doors do about rates while Redis is down. */
export const rateLimitSettings = {
  RATE_LIMIT_FAIL_CLOSED: setting(flag().default(false), 'Refuse with 503, instead of allowing, while Redis is down.'),
};

/** What the doors need of a rate limiter. */
export type LimitCheck = Pick<RateLimiter, 'check' | 'reset'>;

/** Counts nothing: a deployment without Redis has no limits on rates. */
const uncounted: LimitCheck = {
  check: (_subject: string, [first]: RateLimit[]) => {
    const limit = first?.kind === 'window' ? first.limit : (first?.burst ?? 0);
    const resetAtUnix = Math.ceil(Date.now() / 1000);
    return Promise.resolve({ allowed: true, limit, remaining: limit, resetAtUnix, retryAfterSeconds: 0 });
  },
  reset: () => Promise.resolve(),
};

/** The limiter that all replicas share through Redis. */
export const openRateLimiter = (
  redis: RedisShards | null,
  settings: { RATE_LIMIT_FAIL_CLOSED: boolean },
): LimitCheck => (redis ? new RateLimiter(redis, { failClosed: settings.RATE_LIMIT_FAIL_CLOSED }) : uncounted);
