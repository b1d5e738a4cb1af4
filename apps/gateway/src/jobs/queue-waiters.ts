import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS } from '@spooled/platform';
import { QueueSignals, type RedisShards } from '@spooled/transport';
import type { GatewaySettings } from '../gateway.config.js';
import { REDIS } from '../stores/tokens.js';

/** Nobody announces work without Redis: look for it as often as the published server does. */
const unannouncedPollMs = 1000;

/** The streams of this process that wait for work, by queue. Word of work wakes one of them, which wakes the next. */
@Injectable()
export class QueueWaiters {
  private readonly lines = new Map<string, WaitingLine>();
  private readonly signals: QueueSignals | null;

  constructor(
    @Inject(REDIS) private readonly redis: RedisShards | null,
    @Inject(SETTINGS) private readonly settings: Pick<GatewaySettings, 'WORKER_FALLBACK_POLL_INTERVAL_SECS'>,
  ) {
    this.signals = redis && new QueueSignals(redis);
  }

  /** Call `leave` in the end. */
  join(organizationId: string, queueName: string): QueueWaiter {
    const name = `${organizationId} ${queueName}`;
    const line = this.lines.get(name) ?? this.openLine(name, organizationId, queueName);
    line.members++;
    return {
      wait: (signal, atMostMs = Infinity) => line.wait(Math.min(this.pollMs(), atMostMs), signal),
      passOn: () => line.passOn(),
      leave: () => {
        // It may have been woken on its way out.
        line.passOn();
        if (--line.members > 0) return;
        line.close();
        this.lines.delete(name);
      },
    };
  }

  private openLine(name: string, organizationId: string, queueName: string): WaitingLine {
    const line = new WaitingLine();
    if (this.signals) line.close = this.signals.onWake(organizationId, queueName, () => line.wake());
    this.lines.set(name, line);
    return line;
  }

  private pollMs(): number {
    return this.redis?.connected ? this.settings.WORKER_FALLBACK_POLL_INTERVAL_SECS * 1000 : unannouncedPollMs;
  }
}

export interface QueueWaiter {
  /** Resolves when there may be work, at the latest after the interval of the fallback or `atMostMs`; at once when aborted. */
  wait(signal: AbortSignal, atMostMs?: number): Promise<void>;
  /** There may be more work than the caller takes. */
  passOn(): void;
  leave(): void;
}

class WaitingLine {
  members = 0;
  /** Word came while all were busy: the next to wait does not. */
  private missed = false;
  private readonly waiting = new Set<() => void>();

  close: () => void = () => undefined;

  wake(): void {
    if (this.waiting.size === 0) this.missed = true;
    else this.passOn();
  }

  passOn(): void {
    const [next] = this.waiting;
    next?.();
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    if (this.missed || signal.aborted) {
      this.missed = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', go);
        this.waiting.delete(go);
        resolve();
      };
      const timer = setTimeout(go, ms);
      signal.addEventListener('abort', go);
      this.waiting.add(go);
    });
  }
}
