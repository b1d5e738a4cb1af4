import { Global, Module } from '@nestjs/common';
import { ApiKeyAuthenticator, ApiKeyDigests, CredentialFeed, Database, LastUseWriter } from '@spooled/data-access';
import { AppLogger, newId, SERVICE } from '@spooled/platform';
import {
  AddressLimits,
  openAuthenticator,
  openCredentialFeed,
  openDatabase,
  openRateLimiter,
  openDigests,
  openRedis,
  openRevokedSessions,
  openTokens,
  RevokedSessions,
  TokenAuthenticator,
} from '@spooled/service';
import { RedisCredentialCache, RedisEventSubscriber, StreamSlots, type RedisShards } from '@spooled/transport';
import type { RealtimeService } from '../realtime.config.js';
import { noEvents } from './without-redis.js';

/** Injects `RedisShards | null`. */
const REDIS = Symbol('redis');
/** Injects `RedisCredentialCache | null`: the cache of credentials that all processes share. */
export const SHARED_CREDENTIALS = Symbol('shared credentials');

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
      provide: SHARED_CREDENTIALS,
      useFactory: (redis: RedisShards | null, logger: AppLogger) => redis && new RedisCredentialCache(redis, logger),
      inject: [REDIS, AppLogger],
    },
    { provide: ApiKeyDigests, useFactory: (service: RealtimeService) => openDigests(service), inject: [SERVICE] },
    { provide: CredentialFeed, useFactory: openCredentialFeed, inject: [SERVICE, Database] },
    {
      provide: ApiKeyAuthenticator,
      useFactory: openAuthenticator,
      inject: [SERVICE, Database, CredentialFeed, ApiKeyDigests, SHARED_CREDENTIALS],
    },
    {
      provide: RevokedSessions,
      useFactory: openRevokedSessions,
      inject: [Database, CredentialFeed, REDIS, SHARED_CREDENTIALS],
    },
    {
      provide: TokenAuthenticator,
      useFactory: (service: RealtimeService, keys: ApiKeyAuthenticator, revoked: RevokedSessions) =>
        new TokenAuthenticator(openTokens(service), keys, revoked),
      inject: [SERVICE, ApiKeyAuthenticator, RevokedSessions],
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
    SHARED_CREDENTIALS,
    CredentialFeed,
    ApiKeyAuthenticator,
    TokenAuthenticator,
    StreamSlots,
    LastUseWriter,
    AddressLimits,
  ],
})
export class StoresModule {}
