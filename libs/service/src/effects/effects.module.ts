import { Global, Module } from '@nestjs/common';
import { DeliveryDispatcher, type ProductMetrics } from '@spooled/contracts';
import { type Metrics, SERVICE, type ServiceContext } from '@spooled/platform';
import { DeliveryQueue, type RedisShards } from '@spooled/transport';
import { provider } from '../provider.js';
import { REDIS } from '../tokens.js';
import { EffectsPublisher, LocalEffectsPublisher, RedisEffectsPublisher } from './effects-publisher.service.js';

type EffectsService = ServiceContext<unknown, Metrics<ProductMetrics>>;

/** Without Redis, deliveries are found by the table sweep. */
class NoDispatch extends DeliveryDispatcher {
  dispatch(): void {}
}

function openDispatcher(redis: RedisShards | null, service: EffectsService): DeliveryDispatcher {
  if (!redis) return new NoDispatch();
  const queue = new DeliveryQueue(redis, { log: service.logger });
  service.onStop('delivery hand-over', () => queue.close());
  return queue;
}

const openPublisher = (
  redis: RedisShards | null,
  deliveries: DeliveryDispatcher,
  { metrics }: EffectsService,
): EffectsPublisher =>
  redis ? new RedisEffectsPublisher(redis, deliveries, metrics) : new LocalEffectsPublisher(metrics);

/** Publishes the effects of this process's committed transactions. */
@Global()
@Module({
  providers: [
    provider(DeliveryDispatcher, openDispatcher, [REDIS, SERVICE]),
    provider(EffectsPublisher, openPublisher, [REDIS, DeliveryDispatcher, SERVICE]),
  ],
  exports: [DeliveryDispatcher, EffectsPublisher],
})
export class EffectsModule {}
