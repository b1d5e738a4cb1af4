import { systemClock } from '@spooled/clock';
import { SpooledError } from '@spooled/domain';
import {
  LocalRateLimiter,
  type RateLimit,
  RateLimiter,
  type RateLimitResult,
  RateLimits,
  type RateLimitScope,
  type RedisShards,
  sizeOf,
} from '@spooled/transport';
import type { FastifyReply } from 'fastify';

/** The limiter that all replicas share through Redis; in a deployment without Redis each process counts alone. */
export function openRateLimiter(
  redis: RedisShards | null,
  settings: { RATE_LIMIT_ENABLED: boolean; RATE_LIMIT_FAIL_CLOSED: boolean },
): RateLimits {
  const limiter = redis
    ? new RateLimiter(redis, { failClosed: settings.RATE_LIMIT_FAIL_CLOSED })
    : new LocalRateLimiter();
  return settings.RATE_LIMIT_ENABLED ? limiter : new NecessaryLimits(limiter);
}

const always: ReadonlySet<RateLimitScope> = new Set<RateLimitScope>(['admin', 'login', 'throttle']);

/** RATE_LIMIT_ENABLED=false: only guesses at secrets are limited, and new jobs that an operator has throttled. */
class NecessaryLimits extends RateLimits {
  constructor(private readonly limiter: RateLimits) {
    super();
  }

  take(subject: string, limits: RateLimit[], wanted: number, failClosed?: boolean) {
    const kept = limits.filter(({ scope }) => always.has(scope));
    if (kept.length > 0) return this.limiter.take(subject, kept, wanted, failClosed);
    return Promise.resolve({ granted: wanted, last: uncounted(limits[0]!) });
  }

  charge(subject: string, limits: RateLimit[], amount: number): Promise<RateLimitResult> {
    const kept = limits.filter(({ scope }) => always.has(scope));
    return kept.length > 0 ? this.limiter.charge(subject, kept, amount) : Promise.resolve(uncounted(limits[0]!));
  }

  refund(subject: string, limits: RateLimit[]): void {
    const kept = limits.filter(({ scope }) => always.has(scope));
    if (kept.length > 0) this.limiter.refund(subject, kept);
  }

  reset(subject: string, names: string[]): Promise<void> {
    return this.limiter.reset(subject, names);
  }
}

/** The state of a limit that nothing was counted in. */
export const uncounted = (limit: RateLimit): RateLimitResult => ({
  allowed: true,
  scope: limit.scope,
  limit: sizeOf(limit),
  remaining: sizeOf(limit),
  resetAtUnix: Math.ceil(systemClock.now() / 1000),
  retryAfterSeconds: 0,
});

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

/** Tokens that a request has taken, on responses to those that took more than one. */
export const rateCostHeader = 'x-ratelimit-cost';

/**
 * Adds tokens that a request has taken beyond the one of every request, unless its response has been sent. `state` is that of the charged
 * limit after them: another one with fewer calls left stays reported.
 */
export function reportCharge(reply: FastifyReply, state: RateLimitResult, tokens: number): void {
  if (reply.sent) return;
  const cost = Number(reply.getHeader(rateCostHeader) ?? 1) + tokens;
  void reply.header(rateCostHeader, cost);
  if (state.remaining <= Number(reply.getHeader('x-ratelimit-remaining') ?? Infinity))
    void reply.headers(rateHeaders(state));
}

/** The state of a limit, as headers of the response. */
export const rateHeaders = ({ limit, remaining, resetAtUnix, scope }: RateLimitResult) => ({
  'x-ratelimit-limit': limit,
  'x-ratelimit-remaining': remaining,
  'x-ratelimit-reset': resetAtUnix,
  'x-ratelimit-scope': scope,
});
