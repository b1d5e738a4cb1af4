import { Global, Module } from '@nestjs/common';
import { Database } from '@spooled/data-access';
import { SERVICE } from '@spooled/platform';
import { DeliveryQueue, type RedisShards } from '@spooled/transport';
import { openDatabase, openRedis, type WebhooksService } from './open-stores.js';

/** Injects the Redis shards, or null in a deployment without Redis: `@Inject(REDIS) redis: RedisShards | null`. */
export const REDIS = Symbol('redis');
/** Injects the hand-over of deliveries to BullMQ: `@Inject(HANDOVER) handover: DeliveryHandover`. */
export const HANDOVER = Symbol('hand-over');

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
    { provide: Database, useFactory: openDatabase, inject: [SERVICE] },
    { provide: REDIS, useFactory: openRedis, inject: [SERVICE] },
    { provide: HANDOVER, useFactory: openHandover, inject: [REDIS, SERVICE] },
  ],
  exports: [Database, REDIS, HANDOVER],
})
export class StoresModule {}
