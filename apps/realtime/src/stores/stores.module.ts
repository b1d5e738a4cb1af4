import { Global, Module } from '@nestjs/common';
import { ApiKeyAuthenticator, Database, LastUseWriter } from '@spooled/data-access';
import { AppLogger, newId, SERVICE } from '@spooled/platform';
import { RedisCredentialCache, RedisEventSubscriber, RedisShards, StreamSlots } from '@spooled/transport';
import type { RealtimeService } from '../realtime.config.js';
import { credentialCache, openDatabase, openRedis } from './open-stores.js';

const openSlots = (redis: RedisShards, service: RealtimeService): StreamSlots => {
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
    { provide: Database, useFactory: openDatabase, inject: [SERVICE] },
    { provide: RedisShards, useFactory: openRedis, inject: [SERVICE] },
    {
      provide: RedisEventSubscriber,
      useFactory: (redis: RedisShards, logger: AppLogger) => new RedisEventSubscriber(redis, logger),
      inject: [RedisShards, AppLogger],
    },
    {
      provide: RedisCredentialCache,
      useFactory: (redis: RedisShards, logger: AppLogger) => new RedisCredentialCache(redis, logger),
      inject: [RedisShards, AppLogger],
    },
    {
      provide: ApiKeyAuthenticator,
      useFactory: (database: Database, redis: RedisShards, shared: RedisCredentialCache) =>
        new ApiKeyAuthenticator(database, credentialCache(redis, shared)),
      inject: [Database, RedisShards, RedisCredentialCache],
    },
    { provide: StreamSlots, useFactory: openSlots, inject: [RedisShards, SERVICE] },
    { provide: LastUseWriter, useFactory: openLastUseWriter, inject: [Database, SERVICE] },
  ],
  exports: [Database, RedisEventSubscriber, RedisCredentialCache, ApiKeyAuthenticator, StreamSlots, LastUseWriter],
})
export class StoresModule {}
