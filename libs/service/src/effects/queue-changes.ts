import type { EventEnvelope } from '@spooled/contracts';
import { QueueSignals, type RedisCredentialCache, type RedisShards } from '@spooled/transport';
import type { QueueRates } from '../limits/queue-rates.js';
import type { EffectsPublisher } from './effects-publisher.service.js';

interface QueueChangesParts {
  effects: EffectsPublisher;
  redis: RedisShards | null;
  shared: Pick<RedisCredentialCache, 'invalidate'> | null;
  /** The rates that this process has cached; null for one that grants no claims. */
  rates: QueueRates | null;
}

/** Tells the other processes, after the commit, that a queue was paused, resumed or configured. Never throws, never waits. */
export class QueueChanges {
  private readonly signals: QueueSignals | null;

  constructor(private readonly parts: QueueChangesParts) {
    this.signals = parts.redis && new QueueSignals(parts.redis);
  }

  /**
   * @param control how its settings were changed; also when the queue was paused or resumed before
   * @param deliveries ids of webhook deliveries that were decided in the transaction of the change
   * @param event what subscribers see; none if the queue was paused or resumed before
   */
  publish(
    organizationId: string,
    queueName: string,
    control: 'paused' | 'resumed' | null,
    { deliveries = [], event = null }: { deliveries?: string[]; event?: EventEnvelope | null } = {},
  ): void {
    if (control) this.signals?.control(organizationId, queueName, control);
    // Who has cached the queue's settings must read them again; without Redis other processes notice within a second.
    this.parts.rates?.forget(organizationId, queueName);
    void this.parts.shared?.invalidate({ kind: 'queue', organizationId, queueName });
    this.parts.effects.publish({
      events: event ? [{ organizationId, events: [event] }] : [],
      // A change of settings may raise a limit that claims wait for.
      wakeups: control === 'paused' ? [] : [{ organizationId, queueName }],
      deliveries: deliveries.map((id) => ({ id, organizationId })),
    });
  }
}

/** The queue was paused at `timestamp`. */
export const queuePaused = (queue_name: string, reason: string | null, timestamp: string): EventEnvelope => ({
  type: 'QueuePaused',
  data: { queue_name, reason, timestamp },
});

/** The queue was resumed at `timestamp`. */
export const queueResumed = (queue_name: string, timestamp: string): EventEnvelope => ({
  type: 'QueueResumed',
  data: { queue_name, timestamp },
});
