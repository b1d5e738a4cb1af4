import { SpooledError } from '@spooled/domain';
import {
  LocalRateLimiter,
  RateLimiter,
  type RateLimitResult,
  type RateLimits,
  type RedisShards,
} from '@spooled/transport';

/** The limiter that all replicas share through Redis; in a deployment without Redis each process counts alone. */
export const openRateLimiter = (
  redis: RedisShards | null,
  settings: { RATE_LIMIT_FAIL_CLOSED: boolean },
): RateLimits =>
  redis ? new RateLimiter(redis, { failClosed: settings.RATE_LIMIT_FAIL_CLOSED }) : new LocalRateLimiter();

/** The error for a request beyond a rate limit. */
export const rateExceeded = ({ limit, remaining, resetAtUnix, retryAfterSeconds }: RateLimitResult): SpooledError =>
  new SpooledError('RATE_LIMIT_EXCEEDED', `Too many requests; try again in ${retryAfterSeconds} s`, {
    retryAfterSeconds,
    extras: {
      error: 'rate_limit_exceeded',
      retry_after_secs: retryAfterSeconds,
      limit,
      remaining,
      reset_at: resetAtUnix,
    },
  });

/** The state of a limit, as headers of the response. */
export const rateHeaders = ({ limit, remaining, resetAtUnix }: RateLimitResult) => ({
  'x-ratelimit-limit': limit,
  'x-ratelimit-remaining': remaining,
  'x-ratelimit-reset': resetAtUnix,
});
