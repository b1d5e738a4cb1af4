import { Global, Module } from '@nestjs/common';
import { Database } from '@spooled/data-access';
import { SERVICE } from '@spooled/platform';
import { CommandPath } from '@spooled/queue';
import {
  AddressLimits,
  openEffectsPublisher,
  openCommandPath,
  openDatabase,
  openLocalEngine,
  openRateLimiter,
  openRedis,
} from '@spooled/service';
import { DeliveryQueue, RateLimits, RedisCredentialCache, type RedisShards } from '@spooled/transport';
import type { WebhooksService } from './open-stores.js';

/** Injects the Redis shards, or null in a deployment without Redis: `@Inject(REDIS) redis: RedisShards | null`. */
export const REDIS = Symbol('redis');
/** Injects the hand-over of deliveries to BullMQ: `@Inject(HANDOVER) handover: DeliveryHandover`. */
export const HANDOVER = Symbol('hand-over');

/** Injects word of changed settings, null without Redis: `@Inject(CHANGES) changes: RedisCredentialCache | null`. */
export const CHANGES = Symbol('changes');

function openHandover(redis: RedisShards | null, service: WebhooksService) {
  if (!redis) return { handOver: () => undefined };
  const queue = new DeliveryQueue(redis, { log: service.logger });
  service.onStop('delivery queue', () => queue.close());
  return queue;
}

/** PostgreSQL and Redis, for every class of this service. */
@Global()
@Module({
  providers: [
    // Without PostgreSQL nothing can be accepted or sent; without Redis deliveries are found by looking at their table.
    {
      provide: Database,
      useFactory: (service: WebhooksService) => openDatabase(service, { critical: true }),
      inject: [SERVICE],
    },
    {
      provide: REDIS,
      useFactory: (service: WebhooksService) => openRedis(service, { critical: false }),
      inject: [SERVICE],
    },
    {
      provide: RateLimits,
      useFactory: (redis: RedisShards | null, { settings }: WebhooksService) => openRateLimiter(redis, settings),
      inject: [REDIS, SERVICE],
    },
    {
      provide: AddressLimits,
      useFactory: (limiter: RateLimits, { settings }: WebhooksService) => new AddressLimits(limiter, settings),
      inject: [RateLimits, SERVICE],
    },
    { provide: HANDOVER, useFactory: openHandover, inject: [REDIS, SERVICE] },
    {
      provide: CHANGES,
      useFactory: (redis: RedisShards | null, { logger }: WebhooksService) =>
        redis && new RedisCredentialCache(redis, logger),
      inject: [REDIS, SERVICE],
    },
    {
      provide: CommandPath,
      useFactory: (service: WebhooksService, database: Database, redis: RedisShards | null) =>
        openCommandPath(
          service,
          redis,
          openLocalEngine(service, database, redis, openEffectsPublisher(service, redis)),
        ),
      inject: [SERVICE, Database, REDIS],
    },
  ],
  exports: [Database, REDIS, HANDOVER, CHANGES, CommandPath, RateLimits, AddressLimits],
})
export class StoresModule {}
