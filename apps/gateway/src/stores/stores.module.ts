import { Global, Module } from '@nestjs/common';
import { Database } from '@spooled/data-access';
import { AppLogger, SERVICE, SETTINGS } from '@spooled/platform';
import { AddressLimits, openDatabase, openRateLimiter, openRedis } from '@spooled/service';
import { RateLimits, RedisCredentialCache, type RedisShards } from '@spooled/transport';
import type { GatewaySettings } from '../gateway.config.js';
import type { GatewayService } from './open-stores.js';
import { REDIS, SHARED_CREDENTIALS } from './tokens.js';

/** PostgreSQL and Redis, for every class of the gateway. */
@Global()
@Module({
  providers: [
    // Without PostgreSQL the gateway can do nothing, so it is not ready; without Redis it is degraded and goes on.
    {
      provide: Database,
      useFactory: (service: GatewayService) => openDatabase(service, { critical: true }),
      inject: [SERVICE],
    },
    {
      provide: REDIS,
      useFactory: (service: GatewayService) => openRedis(service, { critical: false }),
      inject: [SERVICE],
    },
    {
      provide: SHARED_CREDENTIALS,
      useFactory: (redis: RedisShards | null, logger: AppLogger) => redis && new RedisCredentialCache(redis, logger),
      inject: [REDIS, AppLogger],
    },
    {
      provide: RateLimits,
      useFactory: (redis: RedisShards | null, settings: GatewaySettings): RateLimits =>
        openRateLimiter(redis, settings),
      inject: [REDIS, SETTINGS],
    },
    {
      provide: AddressLimits,
      useFactory: (limiter: RateLimits, settings: GatewaySettings) => new AddressLimits(limiter, settings),
      inject: [RateLimits, SETTINGS],
    },
  ],
  exports: [Database, REDIS, SHARED_CREDENTIALS, RateLimits, AddressLimits],
})
export class StoresModule {}
