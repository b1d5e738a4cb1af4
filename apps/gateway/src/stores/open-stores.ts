import { noSharedCache, type CredentialCache } from '@spooled/data-access';
import type { ProductMetrics } from '@spooled/contracts';
import type { Metrics, ServiceContext } from '@spooled/platform';
import type { RateLimit, RateLimiter, RedisCredentialCache, RedisShards } from '@spooled/transport';
import type { GatewaySettings } from '../gateway.config.js';

export type GatewayService = ServiceContext<GatewaySettings, Metrics<ProductMetrics>>;

/** The transport's cache in the shape that the authenticator asks for. */
export const credentialCache = (redis: RedisShards | null, shared: RedisCredentialCache | null): CredentialCache =>
  redis && shared
    ? {
        get: (hash) => shared.get(hash),
        set: (hash, value, ttlSeconds) => shared.set(hash, value, ttlSeconds),
        onInvalidate: (listener) => shared.onInvalidate(listener),
        connected: () => redis.connected,
      }
    : noSharedCache;

/** What the doors need of a rate limiter. */
export type LimitCheck = Pick<RateLimiter, 'check'>;

/** Counts nothing: a deployment without Redis has no limits on rates. */
export const uncounted: LimitCheck = {
  check: (_subject: string, [first]: RateLimit[]) => {
    const limit = first?.kind === 'window' ? first.limit : (first?.burst ?? 0);
    const resetAtUnix = Math.ceil(Date.now() / 1000);
    return Promise.resolve({ allowed: true, limit, remaining: limit, resetAtUnix, retryAfterSeconds: 0 });
  },
};
