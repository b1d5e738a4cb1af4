import { Inject, Injectable } from '@nestjs/common';
import type { EventBatch } from '@spooled/contracts';
import { AppLogger, METRICS, SERVICE, type ServiceContext } from '@spooled/platform';
import type { Effects } from '@spooled/queue';
import { DeliveryQueue, QueueSignals, RedisEventPublisher, type RedisShards, type WakeUp } from '@spooled/transport';
import type { SchedulerMetrics } from '../scheduler.config.js';
import { REDIS } from '../stores/tokens.js';

/** Tells the rest of the system, as far as there is a Redis, what a task has committed. Never throws, never waits. */
@Injectable()
export class EffectsPublisher {
  private readonly publisher?: RedisEventPublisher;
  private readonly signals?: QueueSignals;
  private readonly deliveries?: DeliveryQueue;

  constructor(
    @Inject(REDIS) redis: RedisShards | null,
    @Inject(METRICS) private readonly metrics: SchedulerMetrics,
    @Inject(SERVICE) service: Pick<ServiceContext, 'onStop'>,
    logger: AppLogger,
  ) {
    if (!redis) return;
    this.publisher = new RedisEventPublisher(redis, (events) => metrics.eventsDropped.inc(events));
    this.signals = new QueueSignals(redis);
    const deliveries = new DeliveryQueue(redis, { log: logger });
    this.deliveries = deliveries;
    service.onStop('delivery hand-over', () => deliveries.close());
  }

  /** `why` is what queues are woken with. */
  publish({ events, deliveries, wakeups }: Effects, why: WakeUp = 'scheduled_activated'): void {
    this.count(events);
    this.events(events);
    if (deliveries.length > 0) this.deliveries?.dispatch(deliveries);
    for (const { organizationId, queueName } of wakeups) {
      this.signals?.wake(organizationId, queueName, why);
    }
  }

  events(batches: EventBatch[]): void {
    this.publisher?.publish(batches);
  }

  private count(batches: EventBatch[]): void {
    for (const event of batches.flatMap(({ events }) => events)) {
      if (event.type === 'JobFailed') this.metrics.jobsFailed.inc();
      if (event.type !== 'JobStatusChange' || event.data.old_status !== 'processing') continue;
      if (event.data.new_status === 'pending') this.metrics.jobsRetried.inc();
      if (event.data.new_status === 'deadletter') this.metrics.jobsDeadlettered.inc();
    }
  }
}
