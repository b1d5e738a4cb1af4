import type { ProductMetrics } from '@spooled/contracts';
import { Database } from '@spooled/data-access';
import type { Metrics, ServiceContext } from '@spooled/platform';
import { parseShards, RedisShards, type RateLimit, type RateLimiter, type ShardAddress } from '@spooled/transport';
import type { WebhooksSettings } from '../webhooks.config.js';

export type WebhooksService = ServiceContext<WebhooksSettings, Metrics<ProductMetrics>>;

/** PostgreSQL; without it nothing can be accepted or sent, so its state decides readiness. */
export function openDatabase(service: WebhooksService): Database {
  const { settings, logger, health, metrics } = service;
  const database = new Database({
    appUrl: settings.DATABASE_URL,
    systemUrl: settings.DATABASE_SYSTEM_URL,
    applicationName: 'spooled webhooks',
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

/** The Redis servers of the settings; none in a deployment without Redis. */
export function shardAddresses({ REDIS_SHARDS, REDIS_URL }: WebhooksSettings): ShardAddress[] {
  const list = REDIS_SHARDS ?? REDIS_URL;
  return list ? parseShards(list) : [];
}

/** Redis, where there is one. Its loss degrades this service and does not stop it. */
export function openRedis(service: WebhooksService): RedisShards | null {
  const { settings, logger, health } = service;
  const shards = shardAddresses(settings);
  if (shards.length === 0) {
    logger.warn('no REDIS_URL: jobs are enqueued here, and deliveries are found by looking at the table');
    return null;
  }
  const redis = new RedisShards({ shards, connectionName: 'spooled-webhooks', log: logger });
  health.register('cache', () => (redis.connected ? Promise.resolve() : Promise.reject(new Error('not connected'))), {
    critical: false,
  });
  service.onStop('Redis', () => redis.close());
  return redis;
}

/** Counts nothing: a deployment without Redis has no limits on rates. */
export const uncounted: Pick<RateLimiter, 'check'> = {
  check: (_subject: string, [first]: RateLimit[]) => {
    const limit = first?.kind === 'window' ? first.limit : (first?.burst ?? 0);
    const resetAtUnix = Math.ceil(Date.now() / 1000);
    return Promise.resolve({ allowed: true, limit, remaining: limit, resetAtUnix, retryAfterSeconds: 0 });
  },
};
