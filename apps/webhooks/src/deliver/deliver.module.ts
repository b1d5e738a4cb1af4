import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { DeliveryDispatcher } from '@spooled/contracts';
import { Database } from '@spooled/data-access';
import { SERVICE } from '@spooled/platform';
import { provider, REDIS, shardAddresses } from '@spooled/service';
import type { RedisShards } from '@spooled/transport';
import { CallbackClient } from '../callback/callback-client.js';
import type { WebhooksService } from '../webhooks.config.js';
import { DeliverySweep } from '../sweep/delivery-sweep.js';
import { HeldDeliveries } from '../sweep/held-deliveries.js';
import { Deliverer } from './deliverer.service.js';
import { DeliveryWorkers } from './delivery-workers.js';
import { WebhookTestController } from './webhook-test.controller.js';
import { WebhookTestService } from './webhook-test.service.js';

const sweepIntervalMs = 5_000;
/** Taken from BullMQ beyond the limit, so that others are noticed while all attempts are in use. They wait in this process. */
const waitingAtOnce = 16;

/** Sends outgoing webhooks: BullMQ for low latency, the sweep of the table so that none is lost. */
@Module({
  controllers: [WebhookTestController],
  providers: [
    WebhookTestService,
    provider(Deliverer, createDeliverer, [SERVICE, Database, CallbackClient, DeliveryDispatcher]),
  ],
})
export class DeliverModule implements OnApplicationBootstrap {
  constructor(
    @Inject(SERVICE) private readonly service: WebhooksService,
    @Inject(REDIS) private readonly redis: RedisShards | null,
    private readonly dispatcher: DeliveryDispatcher,
    private readonly db: Database,
    private readonly deliverer: Deliverer,
  ) {}

  /** Starts sending. */
  onApplicationBootstrap(): void {
    const sweep = this.startSweep();
    const workers = this.startWorkers();
    // In parallel: neither may start an attempt while the other waits for its last ones.
    this.service.onStop('deliveries', () => Promise.all([sweep.stop(), workers.close()]));
  }

  private startSweep(): DeliverySweep {
    const { service, redis, dispatcher, db, deliverer } = this;
    const held = new HeldDeliveries(db, dispatcher, service.metrics, service.logger, {
      max: service.settings.OUTGOING_WEBHOOK_MAX_HELD,
    });
    const sweep = new DeliverySweep(db, dispatcher, deliverer, held, service.logger, {
      overdueSeconds: service.settings.OUTGOING_WEBHOOK_OVERDUE_SECS,
      intervalMs: sweepIntervalMs,
      redisServes: (organizationId) => redis?.shardOf(organizationId).connected ?? false,
      redisServesAll: () => redis?.connected ?? false,
    });
    sweep.start();
    return sweep;
  }

  private startWorkers(): DeliveryWorkers {
    const { settings, logger } = this.service;
    const { redis } = this;
    const shards = shardAddresses(settings).map((address, i) => ({
      address,
      isConnected: () => redis?.all[i]?.connected ?? false,
    }));
    // Half of the shutdown timeout: deliveries still in progress after it are returned to the queue.
    const graceMs = settings.SHUTDOWN_TIMEOUT_SECS * 500;
    const concurrency = settings.OUTGOING_WEBHOOK_MAX_CONCURRENT_DELIVERIES + waitingAtOnce;
    return new DeliveryWorkers(shards, this.deliverer, logger, { concurrency, graceMs });
  }
}

function createDeliverer(
  { settings, metrics, logger }: WebhooksService,
  db: Database,
  client: CallbackClient,
  dispatcher: DeliveryDispatcher,
): Deliverer {
  const deliverer = new Deliverer(db, client, dispatcher, metrics, logger, {
    maxAttempts: settings.OUTGOING_WEBHOOK_MAX_ATTEMPTS,
    retrySeconds: settings.OUTGOING_WEBHOOK_RETRY_SECS,
    disableAfterSeconds: settings.OUTGOING_WEBHOOK_DISABLE_AFTER_SECS,
    firstWaitMs: settings.OUTGOING_WEBHOOK_RETRY_BASE_MS,
    maxConcurrent: settings.OUTGOING_WEBHOOK_MAX_CONCURRENT_DELIVERIES,
    maxBytes: settings.OUTGOING_WEBHOOK_MAX_PAYLOAD_BYTES_IN_FLIGHT,
  });
  metrics.onScrape('webhookDeliveriesInFlight', (gauge) => gauge.set(deliverer.running));
  return deliverer;
}
