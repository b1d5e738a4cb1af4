import type { ProductMetrics } from '@spooled/contracts';
import { type Metrics, recordSpan, type ServiceContext } from '@spooled/platform';
import type { Effects, JobSpan } from '@spooled/queue';
import { DeliveryQueue, QueueSignals, RedisEventPublisher, type RedisShards } from '@spooled/transport';

/**
 * Tells the world what a committed transaction changed: live events, webhook deliveries, wake-ups. Never throws and never
 * waits; deliveries that get lost here are found by the sweep of their table.
 */
export function openEffectsPublisher(
  service: ServiceContext<unknown, Metrics<ProductMetrics>>,
  redis: RedisShards | null,
): (effects: Effects) => void {
  const { logger, metrics } = service;
  if (!redis) {
    return ({ events, spans }) => {
      metrics.eventsDropped.inc(events.reduce((n, batch) => n + batch.events.length, 0));
      spans.forEach(record);
    };
  }
  const publisher = new RedisEventPublisher(redis, (dropped) => metrics.eventsDropped.inc(dropped));
  const deliveries = new DeliveryQueue(redis, { log: logger });
  const signals = new QueueSignals(redis);
  service.onStop('hand-over of deliveries', () => deliveries.close());
  return (effects) => {
    publisher.publish(effects.events);
    if (effects.deliveries.length > 0) deliveries.dispatch(effects.deliveries);
    for (const { organizationId, queueName } of effects.wakeups)
      signals.wake(organizationId, queueName, 'bulk_enqueue');
    for (const { organizationId, workflowId, move } of effects.workflowMoves)
      signals.workflow(organizationId, workflowId, move);
    effects.spans.forEach(record);
  };
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
    },
    error: span.error,
  });
}
