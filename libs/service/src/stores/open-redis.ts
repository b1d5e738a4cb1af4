import type { ProductMetrics } from '@spooled/contracts';
import { SettingsError, type Metrics, type ServiceContext, type SettingsOf } from '@spooled/platform';
import { parseShards, RedisShards, type ShardAddress } from '@spooled/transport';
import type { redisSettings } from '../settings/store.settings.js';

type RedisSettings = SettingsOf<typeof redisSettings>;
type RedisService = ServiceContext<RedisSettings, Metrics<ProductMetrics>>;

export interface RedisOptions {
  /** Whether the service requires Redis: without it, it does not start, and it is unready while Redis is unavailable. */
  required: boolean;
}

/** The configured Redis servers; empty in a deployment without Redis. */
export function shardAddresses({ REDIS_SHARDS, REDIS_URL }: RedisSettings): ShardAddress[] {
  const list = REDIS_SHARDS ?? REDIS_URL;
  return list ? parseShards(list) : [];
}

/** Opens Redis with its health check; null in a deployment without Redis. @throws SettingsError when it is required and not configured */
export function openRedis(service: RedisService, { required }: RedisOptions): RedisShards | null {
  const { settings, logger, health, metrics } = service;
  const shards = shardAddresses(settings);
  if (shards.length === 0) {
    if (required) throw new SettingsError([{ name: 'REDIS_URL', reason: 'is required, or REDIS_SHARDS' }]);
    logger.warn('no REDIS_URL: commands run in this process, nothing is shared with others');
    return null;
  }
  const redis = new RedisShards({
    shards,
    connectionName: `spooled-${service.name}`,
    log: logger,
    onCommand: () => metrics.redisOperations.inc(),
  });
  const check = () => (redis.connected ? Promise.resolve() : Promise.reject(new Error('not connected')));
  health.register('cache', check, { critical: required });
  service.onStop('Redis', () => redis.close());
  return redis;
}
