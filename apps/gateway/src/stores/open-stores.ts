import { Database, type CredentialCache, noSharedCache } from '@spooled/data-access';
import type { ProductMetrics } from '@spooled/contracts';
import type { Metrics, ServiceContext } from '@spooled/platform';
import { parseShards, RateLimiter, RedisShards, type RateLimit, type RedisCredentialCache } from '@spooled/transport';
import type { GatewaySettings } from '../gateway.config.js';

export type GatewayService = ServiceContext<GatewaySettings, Metrics<ProductMetrics>>;

/** PostgreSQL; the gateway cannot work without it, so its state decides readiness. */
export function openDatabase(service: GatewayService): Database {
  const { settings, logger, health, metrics } = service;
  const database = new Database({
    appUrl: settings.DATABASE_URL,
    systemUrl: settings.DATABASE_SYSTEM_URL,
    applicationName: 'spooled gateway',
    maxConnections: settings.DATABASE_MAX_CONNECTIONS,
    minConnections: settings.DATABASE_MIN_CONNECTIONS,
    acquireTimeoutMs: settings.DATABASE_ACQUIRE_TIMEOUT_SECS * 1000,
    onError: (error) => logger.warn({ err: error, dependency: 'PostgreSQL' }, 'an idle connection broke'),
  });
  health.register('database', () => database.ping(), { critical: true });
  metrics.onScrape('databaseConnections', (gauge) => gauge.set(database.activeConnections));
  service.onStop('PostgreSQL', () => database.close());
  return database;
}

/** Redis, where there is one. Its loss degrades the gateway and does not stop it. */
export function openRedis(service: GatewayService): RedisShards | null {
  const { settings, logger, health } = service;
  const list = settings.REDIS_SHARDS ?? settings.REDIS_URL;
  if (!list) {
    logger.warn('no REDIS_URL: commands run in this process, nothing is shared with others');
    return null;
  }
  const redis = new RedisShards({ shards: parseShards(list), connectionName: 'spooled-gateway', log: logger });
  health.register('cache', () => (redis.connected ? Promise.resolve() : Promise.reject(new Error('not connected'))), {
    critical: false,
  });
  service.onStop('Redis', () => redis.close());
  return redis;
}

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
