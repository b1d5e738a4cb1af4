import type { DeliveryDispatcher, ProductMetrics } from '@spooled/contracts';
import { type Metrics, recordSpan } from '@spooled/platform';
import type { Effects, JobSpan } from '@spooled/queue';
import { QueueSignals, RedisEventPublisher, type RedisShards, type WakeUp } from '@spooled/transport';

type EffectsMetrics = Pick<Metrics<ProductMetrics>, 'eventsDropped'>;

/**
 * Publishes what a committed transaction changed: live events, webhook deliveries, wake-ups, spans. Never throws and never
 * waits; deliveries that are lost here are found by the table sweep. Also the injection token.
 */
export abstract class EffectsPublisher {
  /** @param why the reason that is sent with wake-ups */
  abstract publish(effects: Partial<Effects>, why?: WakeUp): void;
}

/** For a deployment without Redis: records only spans. */
export class LocalEffectsPublisher extends EffectsPublisher {
  constructor(private readonly metrics: EffectsMetrics) {
    super();
  }

  publish({ events = [], spans = [] }: Partial<Effects>): void {
    this.metrics.eventsDropped.inc(events.reduce((sum, batch) => sum + batch.events.length, 0));
    spans.forEach(record);
  }
}

export class RedisEffectsPublisher extends EffectsPublisher {
  private readonly events: RedisEventPublisher;
  private readonly signals: QueueSignals;

  constructor(
    redis: RedisShards,
    private readonly deliveries: DeliveryDispatcher,
    metrics: EffectsMetrics,
  ) {
    super();
    this.events = new RedisEventPublisher(redis, (dropped) => metrics.eventsDropped.inc(dropped));
    this.signals = new QueueSignals(redis);
  }

  publish(
    {
      events = [],
      deliveries = [],
      wakeups = [],
      spans = [],
      workflowChanges = [],
      cancelRequests = [],
    }: Partial<Effects>,
    why: WakeUp = 'bulk_enqueue',
  ): void {
    this.events.publish(events);
    if (deliveries.length > 0) this.deliveries.dispatch(deliveries);
    for (const { organizationId, queueName } of wakeups) this.signals.wake(organizationId, queueName, why);
    for (const { organizationId, workflowId, change } of workflowChanges) {
      this.signals.workflow(organizationId, workflowId, change);
    }
    for (const lease of cancelRequests) this.signals.cancel(lease);
    spans.forEach(record);
  }
}

function record(span: JobSpan): void {
  recordSpan(span.name, {
    startTime: new Date(span.startTime),
    endTime: new Date(span.endTime),
    parent: span.traceparent,
    attributes: {
      'spooled.organization_id': span.organizationId,
      'spooled.job_id': span.jobId,
      'spooled.queue': span.queueName,
      'spooled.worker_id': span.workerId,
      ...(span.waitReasons && { 'spooled.wait_reasons': span.waitReasons }),
    },
    error: span.error,
  });
}
