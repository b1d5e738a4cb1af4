import { Global, Module } from '@nestjs/common';
import { ApiKeyAuthenticator, Database, LastUseWriter } from '@spooled/data-access';
import { AppLogger, newId, SERVICE } from '@spooled/platform';
import {
  AddressLimits,
  credentialCache,
  openDatabase,
  openRateLimiter,
  openRedis,
  openTokens,
  TokenAuthenticator,
} from '@spooled/stores';
import {
  RedisCredentialCache,
  RedisEventSubscriber,
  RevokedTokens,
  StreamSlots,
  type RedisShards,
} from '@spooled/transport';
import type { RealtimeService } from '../realtime.config.js';
import { noEvents, noNotices } from './without-redis.js';

/** Injects `RedisShards | null`. */
const REDIS = Symbol('redis');

const openSlots = (redis: RedisShards | null, service: RealtimeService): StreamSlots => {
  const slots = new StreamSlots(redis, newId());
  service.onStop('stream slots', () => slots.close());
  return slots;
};

const openLastUseWriter = (database: Database, service: RealtimeService): LastUseWriter => {
  const writer = new LastUseWriter(database, (err) => service.logger.warn({ err }, 'the use of keys was not noted'));
  service.onStop('last use of keys', () => writer.stop());
  return writer;
};

/** PostgreSQL and Redis, and what is built on them alone. */
@Global()
@Module({
  providers: [
    // Neither decides readiness: open streams go on without either, and so do new callers whose keys are cached.
    {
      provide: Database,
      useFactory: (service: RealtimeService) => openDatabase(service, { critical: false }),
      inject: [SERVICE],
    },
    {
      provide: REDIS,
      useFactory: (service: RealtimeService) => openRedis(service, { critical: false }),
      inject: [SERVICE],
    },
    {
      provide: RedisEventSubscriber,
      useFactory: (redis: RedisShards | null, logger: AppLogger) =>
        redis ? new RedisEventSubscriber(redis, logger) : noEvents,
      inject: [REDIS, AppLogger],
    },
    {
      provide: RedisCredentialCache,
      useFactory: (redis: RedisShards | null, logger: AppLogger) =>
        redis ? new RedisCredentialCache(redis, logger) : noNotices,
      inject: [REDIS, AppLogger],
    },
    {
      provide: ApiKeyAuthenticator,
      useFactory: (database: Database, redis: RedisShards | null, shared: RedisCredentialCache) =>
        new ApiKeyAuthenticator(database, credentialCache(redis, shared)),
      inject: [Database, REDIS, RedisCredentialCache],
    },
    {
      provide: TokenAuthenticator,
      useFactory: (
        service: RealtimeService,
        keys: ApiKeyAuthenticator,
        redis: RedisShards | null,
        shared: RedisCredentialCache,
      ) => new TokenAuthenticator(openTokens(service), keys, redis && new RevokedTokens(redis, shared)),
      inject: [SERVICE, ApiKeyAuthenticator, REDIS, RedisCredentialCache],
    },
    {
      provide: AddressLimits,
      useFactory: (redis: RedisShards | null, { settings }: RealtimeService) =>
        new AddressLimits(openRateLimiter(redis, settings), settings),
      inject: [REDIS, SERVICE],
    },
    { provide: StreamSlots, useFactory: openSlots, inject: [REDIS, SERVICE] },
    { provide: LastUseWriter, useFactory: openLastUseWriter, inject: [Database, SERVICE] },
  ],
  exports: [
    Database,
    RedisEventSubscriber,
    RedisCredentialCache,
    ApiKeyAuthenticator,
    TokenAuthenticator,
    StreamSlots,
    LastUseWriter,
    AddressLimits,
  ],
})
export class StoresModule {}
