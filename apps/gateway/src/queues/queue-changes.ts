import { Inject, Injectable } from '@nestjs/common';
import { EffectsPublisher, QueueRates, REDIS, SHARED_CREDENTIALS } from '@spooled/service';
import { QueueSignals, type RedisCredentialCache, type RedisShards } from '@spooled/transport';

/** Tells the other processes, after the commit, that a queue was paused, resumed or configured. Never throws, never waits. */
@Injectable()
export class QueueChanges {
  private readonly signals: QueueSignals | null;

  constructor(
    private readonly effects: EffectsPublisher,
    private readonly rates: QueueRates,
    @Inject(REDIS) redis: RedisShards | null,
    @Inject(SHARED_CREDENTIALS) private readonly shared: RedisCredentialCache | null,
  ) {
    this.signals = redis && new QueueSignals(redis);
  }

  /** @param deliveries ids of webhook deliveries that were decided in the transaction of the change */
  publish(
    organizationId: string,
    queueName: string,
    control: 'paused' | 'resumed' | null,
    deliveries: string[] = [],
  ): void {
    if (control) this.signals?.control(organizationId, queueName, control);
    // Who has cached the queue's settings must read them again; without Redis other processes notice within a second.
    this.rates.forget(organizationId, queueName);
    void this.shared?.invalidate({ kind: 'queue', organizationId, queueName });
    this.effects.publish({
      // A change of settings may raise a limit that claims wait for.
      wakeups: control === 'paused' ? [] : [{ organizationId, queueName }],
      deliveries: deliveries.map((id) => ({ id, organizationId })),
    });
  }
}
