import type { WakeupListener } from '@spooled/data-access';
import { QueueSignals, type RedisShards } from '@spooled/transport';

/** Signals that a queue may have jobs: of services through Redis, of embedded processes through PostgreSQL. Best effort. */
export class QueueWakeups {
  private readonly signals: QueueSignals | null;

  constructor(
    redis: RedisShards | null,
    private readonly listener: Pick<WakeupListener, 'onWake'>,
  ) {
    this.signals = redis && new QueueSignals(redis);
  }

  /** Returns the end of the subscription. */
  onWake(organizationId: string, queueName: string, listener: () => void): () => void {
    const ends = [
      this.signals?.onWake(organizationId, queueName, listener),
      this.listener.onWake(organizationId, queueName, listener),
    ];
    return () => ends.forEach((end) => end?.());
  }
}
