import type { ProductMetrics } from '@spooled/contracts';
import { Database } from '@spooled/data-access';
import type { Metrics, ServiceContext, SettingsOf } from '@spooled/platform';
import { parseShards, RedisShards } from '@spooled/transport';
import type { databaseSettings, redisSettings } from './store-settings.js';

/** A service that lives in maintenance keeps no connections for requests open. */
type DatabaseService = ServiceContext<
  Omit<SettingsOf<typeof databaseSettings>, 'DATABASE_MIN_CONNECTIONS'> & { DATABASE_MIN_CONNECTIONS?: number },
  Metrics<ProductMetrics>
>;
type RedisService = ServiceContext<SettingsOf<typeof redisSettings>, Metrics<ProductMetrics>>;

/** Opens PostgreSQL for a service: health check, gauge of connections, closed last. `critical`: not ready without it. */
export function openDatabase(
  service: DatabaseService,
  { critical, maxSystemConnections }: { critical: boolean; maxSystemConnections?: number },
): Database {
  const { settings, logger, health, metrics } = service;
  const database = new Database({
    appUrl: settings.DATABASE_URL,
    systemUrl: settings.DATABASE_SYSTEM_URL,
    applicationName: `spooled ${service.name}`,
    maxConnections: settings.DATABASE_MAX_CONNECTIONS,
    minConnections: settings.DATABASE_MIN_CONNECTIONS ?? 0,
    maxSystemConnections,
    queryTimeoutMs: settings.DATABASE_QUERY_TIMEOUT_MS,
    acquireTimeoutMs: settings.DATABASE_ACQUIRE_TIMEOUT_SECS * 1000,
    onError: (error) => logger.warn({ err: error, dependency: 'PostgreSQL' }, 'an idle connection broke'),
  });
  health.register('database', () => database.ping(), { critical });
  metrics.onScrape('databaseConnections', (gauge) => gauge.set(database.activeConnections));
  service.onStop('PostgreSQL', () => database.close());
  return database;
}

/** Opens Redis for a service where the operator named one, else null. */
export function openRedis(service: RedisService, { critical }: { critical: boolean }): RedisShards | null {
  const { settings, logger, health } = service;
  const list = settings.REDIS_SHARDS ?? settings.REDIS_URL;
  if (!list) {
    logger.warn('no REDIS_URL: commands run in this process, nothing is shared with others');
    return null;
  }
  const redis = new RedisShards({ shards: parseShards(list), connectionName: `spooled-${service.name}`, log: logger });
  const check = () => (redis.connected ? Promise.resolve() : Promise.reject(new Error('not connected')));
  health.register('cache', check, { critical });
  service.onStop('Redis', () => redis.close());
  return redis;
}
