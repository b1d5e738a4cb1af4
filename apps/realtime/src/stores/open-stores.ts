import { Database, type CredentialCache } from '@spooled/data-access';
import { parseShards, RedisShards, type RedisCredentialCache } from '@spooled/transport';
import type { RealtimeService } from '../realtime.config.js';

/** PostgreSQL: asked about keys that no cache knows, and about single jobs and queues. */
export function openDatabase(service: RealtimeService): Database {
  const { settings, logger, health, metrics } = service;
  const database = new Database({
    appUrl: settings.DATABASE_URL,
    systemUrl: settings.DATABASE_SYSTEM_URL,
    applicationName: 'spooled realtime',
    maxConnections: settings.DATABASE_MAX_CONNECTIONS,
    minConnections: settings.DATABASE_MIN_CONNECTIONS,
    acquireTimeoutMs: settings.DATABASE_ACQUIRE_TIMEOUT_SECS * 1000,
    onError: (error) => logger.warn({ err: error, dependency: 'PostgreSQL' }, 'an idle connection broke'),
  });
  // Not critical: open streams go on without it, and so do callers whose keys are cached.
  health.register('database', () => database.ping(), { critical: false });
  metrics.onScrape('databaseConnections', (gauge) => gauge.set(database.activeConnections));
  service.onStop('PostgreSQL', () => database.close());
  return database;
}

/** Redis: live events, caps, shared credentials. Without it streams stay open and say so. */
export function openRedis(service: RealtimeService): RedisShards {
  const { settings, logger, health } = service;
  const redis = new RedisShards({
    shards: parseShards(settings.REDIS_SHARDS ?? settings.REDIS_URL),
    connectionName: 'spooled-realtime',
    log: logger,
  });
  const check = () => (redis.connected ? Promise.resolve() : Promise.reject(new Error('not connected')));
  health.register('redis', check, { critical: false });
  service.onStop('Redis', () => redis.close());
  return redis;
}

/** The transport's cache in the shape that the authenticator asks for. */
export const credentialCache = (redis: RedisShards, shared: RedisCredentialCache): CredentialCache => ({
  get: (hash) => shared.get(hash),
  set: (hash, value, ttlSeconds) => shared.set(hash, value, ttlSeconds),
  onInvalidate: (listener) => shared.onInvalidate(listener),
  connected: () => redis.connected,
});
