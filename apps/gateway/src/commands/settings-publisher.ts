import type { Effects } from '@spooled/queue';
import type { QueueSignals, RedisCredentialCache } from '@spooled/transport';

/** Where changes of a queue's settings are told; both are Redis. */
export interface SettingsChannels {
  signals: QueueSignals;
  changes: RedisCredentialCache;
}

/** Tells the other services, after the commit, what this process has changed by itself. Never throws and never waits. */
export class SettingsPublisher {
  /** `channels` null: there is no Redis, so nobody to tell. */
  constructor(
    private readonly effects: (effects: Effects) => void,
    private readonly channels: SettingsChannels | null,
  ) {}

  /** A queue was stopped, started or configured anew: whoever remembers its settings must read them again. */
  queueChanged(organizationId: string, queueName: string, control: 'paused' | 'resumed' | null): void {
    if (this.channels) {
      if (control) this.channels.signals.control(organizationId, queueName, control);
      void this.channels.changes.invalidate({ kind: 'queue', organizationId, queueName });
    }
    if (control === 'resumed') this.announce({ wakeups: [{ organizationId, queueName }] });
  }

  /** Hands over webhook deliveries that were decided in the transaction of a change. */
  deliver(organizationId: string, ids: string[]): void {
    if (ids.length > 0) this.announce({ deliveries: ids.map((id) => ({ id, organizationId })) });
  }

  private announce(some: Partial<Effects>): void {
    this.effects({ events: [], deliveries: [], wakeups: [], spans: [], workflowMoves: [], ...some });
  }
}
