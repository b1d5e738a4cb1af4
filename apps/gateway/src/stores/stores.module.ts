import { Global, Module } from '@nestjs/common';
import { Database } from '@spooled/data-access';
import { AppLogger, SERVICE, SETTINGS } from '@spooled/platform';
import { RateLimiter, RedisCredentialCache, type RedisShards } from '@spooled/transport';
import type { GatewaySettings } from '../gateway.config.js';
import { openDatabase, openRedis, uncounted } from './open-stores.js';
import { REDIS, SHARED_CREDENTIALS } from './tokens.js';

/** PostgreSQL and Redis, for every class of the gateway. */
@Global()
@Module({
  providers: [
    { provide: Database, useFactory: openDatabase, inject: [SERVICE] },
    { provide: REDIS, useFactory: openRedis, inject: [SERVICE] },
    {
      provide: SHARED_CREDENTIALS,
      useFactory: (redis: RedisShards | null, logger: AppLogger) => redis && new RedisCredentialCache(redis, logger),
      inject: [REDIS, AppLogger],
    },
    {
      provide: RateLimiter,
      useFactory: (redis: RedisShards | null, settings: GatewaySettings) =>
        redis ? new RateLimiter(redis, { failClosed: settings.RATE_LIMIT_FAIL_CLOSED }) : uncounted,
      inject: [REDIS, SETTINGS],
    },
  ],
  exports: [Database, REDIS, SHARED_CREDENTIALS, RateLimiter],
})
export class StoresModule {}
