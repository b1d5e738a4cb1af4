import { Database } from '@spooled/data-access';
import type { ServiceContext } from '@spooled/platform';
import { parseShards, RedisShards } from '@spooled/transport';
import type { SchedulerMetrics, SchedulerSettings } from '../scheduler.config.js';

export type SchedulerService = ServiceContext<SchedulerSettings, SchedulerMetrics>;

/** PostgreSQL; without it no duty can be done, so its state decides readiness. */
export function openDatabase(service: SchedulerService): Database {
  const { settings, logger, health, metrics } = service;
  const database = new Database({
    appUrl: settings.DATABASE_URL,
    systemUrl: settings.DATABASE_SYSTEM_URL,
    applicationName: 'spooled scheduler',
    maxConnections: settings.DATABASE_MAX_CONNECTIONS,
    minConnections: 0,
    // A duty holds one connection for its lock and one for its work, so this must be more than twice their number.
    maxSystemConnections: 20,
    acquireTimeoutMs: settings.DATABASE_ACQUIRE_TIMEOUT_SECS * 1000,
    onError: (error) => logger.warn({ err: error, dependency: 'PostgreSQL' }, 'an idle connection broke'),
  });
  health.register('database', () => database.ping(), { critical: true });
  metrics.onScrape('databaseConnections', (gauge) => gauge.set(database.activeConnections));
  service.onStop('PostgreSQL', () => database.close());
  return database;
}

/** Redis, where there is one: only live events, wake-ups and quick hand-overs need it. */
export function openRedis(service: SchedulerService): RedisShards | null {
  const { settings, logger, health } = service;
  const list = settings.REDIS_SHARDS ?? settings.REDIS_URL;
  if (!list) {
    logger.warn('no REDIS_URL: duties are done, but nobody hears of them at once');
    return null;
  }
  const redis = new RedisShards({ shards: parseShards(list), connectionName: 'spooled-scheduler', log: logger });
  health.register('cache', () => (redis.connected ? Promise.resolve() : Promise.reject(new Error('not connected'))), {
    critical: false,
  });
  service.onStop('Redis', () => redis.close());
  return redis;
}
