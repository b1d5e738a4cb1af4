import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS } from '@spooled/platform';
import { QueueSignals, type RedisShards } from '@spooled/transport';
import type { GatewaySettings } from '../gateway.config.js';
import { REDIS } from '../stores/tokens.js';

/** Nobody announces work without Redis: look for it as often as the published server does. */
const pollWithoutRedisMs = 1000;

/** Streams and claims of this process that wait for work, by queue. Word of work wakes one of them, which wakes the next. */
@Injectable()
export class WaitQueues {
  private readonly queues = new Map<string, WaitQueue>();
  private readonly signals: QueueSignals | null;

  constructor(
    @Inject(REDIS) private readonly redis: RedisShards | null,
    @Inject(SETTINGS) private readonly settings: Pick<GatewaySettings, 'WORKER_FALLBACK_POLL_INTERVAL_SECS'>,
  ) {
    this.signals = redis && new QueueSignals(redis);
  }

  /** Call `leave` in the end. */
  join(organizationId: string, queueName: string): QueueWait {
    const name = `${organizationId} ${queueName}`;
    const line = this.queues.get(name) ?? this.openQueue(name, organizationId, queueName);
    line.members++;
    let owesLook = false;
    return {
      wait: async (signal, atMostMs) => {
        owesLook = await line.wait(signal, atMostMs);
      },
      claimed: (mayBeMore) => {
        owesLook = false;
        if (mayBeMore) line.wakeNext();
      },
      leave: () => {
        if (owesLook) line.wakeNext();
        if (--line.members > 0) return;
        line.close();
        this.queues.delete(name);
      },
    };
  }

  private openQueue(name: string, organizationId: string, queueName: string): WaitQueue {
    const line = new WaitQueue((idleMs) => idleMs >= this.pollMs());
    if (this.signals) line.onClose = this.signals.onWake(organizationId, queueName, () => line.wake());
    this.queues.set(name, line);
    return line;
  }

  private pollMs(): number {
    return this.redis?.connected ? this.settings.WORKER_FALLBACK_POLL_INTERVAL_SECS * 1000 : pollWithoutRedisMs;
  }
}

export interface QueueWait {
  /**
   * Resolves when there may be work, at the latest after `atMostMs`; at once when aborted. Where nobody announces anything, one
   * of all that wait for the queue is woken after the interval of the fallback.
   */
  wait(signal: AbortSignal, atMostMs?: number): Promise<void>;
  /** To be called after each look for work: whether there may be more than the caller took, which is another one's then. */
  claimed(mayBeMore: boolean): void;
  /** Word of work that came to the caller on its way out goes on to another one. */
  leave(): void;
}

class WaitQueue {
  members = 0;
  /** Word came while all were busy: the next to wait does not. */
  private missed = false;
  private readonly waiting = new Set<() => void>();
  private poll: NodeJS.Timeout | undefined;
  private polledAt = performance.now();

  onClose: () => void = () => undefined;

  /** `isDue` tells whether it is time to look, so long after the last time. */
  constructor(private readonly isDue: (idleMs: number) => boolean) {}

  wake(): void {
    if (this.waiting.size === 0) this.missed = true;
    else this.wakeNext();
  }

  wakeNext(): void {
    const [next] = this.waiting;
    next?.();
  }

  /** Resolves with whether the caller was woken, and not merely out of time or aborted. */
  wait(signal: AbortSignal, atMostMs = Infinity): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (this.missed) {
      this.missed = false;
      return Promise.resolve(true);
    }
    this.schedulePoll();
    return new Promise((resolve) => {
      const end = (isWoken: boolean) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        this.waiting.delete(go);
        resolve(isWoken);
      };
      const go = () => end(true);
      const giveUp = () => end(false);
      const timer = atMostMs === Infinity ? undefined : setTimeout(giveUp, atMostMs);
      signal.addEventListener('abort', giveUp);
      this.waiting.add(go);
    });
  }

  close(): void {
    clearTimeout(this.poll);
    this.onClose();
  }

  /** One for the whole line: who finds work wakes the next. It ticks, because Redis may go away meanwhile. */
  private schedulePoll(): void {
    this.poll ??= setTimeout(() => {
      this.poll = undefined;
      if (this.isDue(performance.now() - this.polledAt)) {
        this.polledAt = performance.now();
        this.wakeNext();
      }
      if (this.waiting.size > 0) this.schedulePoll();
    }, pollWithoutRedisMs);
  }
}
