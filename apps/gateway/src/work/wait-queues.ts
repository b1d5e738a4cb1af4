import { Inject, Injectable } from '@nestjs/common';
import type { Clock, Timer } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import type { RedisShards } from '@spooled/transport';
import type { GatewaySettings } from '../gateway.config.js';
import { CLOCK, QueueWakeups, REDIS } from '@spooled/service';

/** Poll interval without Redis, where only embedded processes send wake-ups; same as the published server. */
const pollWithoutRedisMs = 1000;
/** How often a stream or claim whose worker drains, and which therefore waits for nothing here, looks whether it still does. */
export const drainingMs = 1_000;

/** The streams and claims of this process that wait for jobs, by queue. A wake-up wakes one of them, which wakes the next. */
@Injectable()
export class WaitQueues {
  private readonly queues = new Map<string, WaitQueue>();

  constructor(
    @Inject(REDIS) private readonly redis: RedisShards | null,
    @Inject(SETTINGS) private readonly settings: Pick<GatewaySettings, 'WORKER_FALLBACK_POLL_INTERVAL_SECS'>,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly wakeups: QueueWakeups,
  ) {}

  /** Joins the wait queue of a queue. Call `leave` when done. */
  join(organizationId: string, queueName: string): QueueWait {
    const name = `${organizationId} ${queueName}`;
    const queue = this.queues.get(name) ?? this.openQueue(name, organizationId, queueName);
    queue.members++;
    let wasWoken = false;
    return {
      wait: async (signal, atMostMs) => {
        wasWoken = await queue.wait(signal, atMostMs);
      },
      claimed: (mayBeMore) => {
        wasWoken = false;
        if (mayBeMore) queue.wakeNext();
      },
      leftJobs: () => queue.wake(),
      passOn: () => {
        if (wasWoken) queue.wakeNext();
        wasWoken = false;
      },
      leave: () => {
        if (wasWoken) queue.wakeNext();
        if (--queue.members > 0) return;
        queue.close();
        this.queues.delete(name);
      },
    };
  }

  private openQueue(name: string, organizationId: string, queueName: string): WaitQueue {
    const queue = new WaitQueue(this.clock, (idleMs) => idleMs >= this.pollMs());
    queue.onClose = this.wakeups.onWake(organizationId, queueName, () => queue.wake());
    this.queues.set(name, queue);
    return queue;
  }

  private pollMs(): number {
    return this.redis?.connected ? this.settings.WORKER_FALLBACK_POLL_INTERVAL_SECS * 1000 : pollWithoutRedisMs;
  }
}

export interface QueueWait {
  /**
   * Resolves when there may be jobs, when `atMostMs` have passed, or when aborted. Without wake-ups, one member of the wait queue is
   * woken per poll interval.
   */
  wait(signal: AbortSignal, atMostMs?: number): Promise<void>;
  /** Call after each claim. `mayBeMore`: the claim may have left jobs in the queue; wakes the next member. */
  claimed(mayBeMore: boolean): void;
  /**
   * Call after a claim that ended for its bytes: claims that ran together with it have found no jobs, and their members wait, or are
   * about to.
   */
  leftJobs(): void;
  /** Passes the wake-up to the next waiter. Do not wait on this queue again in the same turn. */
  passOn(): void;
  /** Leaves the wait queue. A wake-up that was not followed by a claim is passed to the next member. */
  leave(): void;
}

class WaitQueue {
  members = 0;
  /** A wake-up came while no member waited: the next `wait` returns at once. */
  private missed = false;
  private readonly waiting = new Set<() => void>();
  private poll: Timer | undefined;
  private polledAt: number;

  onClose: () => void = () => undefined;

  /** @param isDue whether a poll is due `idleMs` after the last one */
  constructor(
    private readonly clock: Clock,
    private readonly isDue: (idleMs: number) => boolean,
  ) {
    this.polledAt = clock.monotonic();
  }

  wake(): void {
    if (this.waiting.size === 0) this.missed = true;
    else this.wakeNext();
  }

  wakeNext(): void {
    const [next] = this.waiting;
    next?.();
  }

  /** @returns true if woken; false on timeout or abort */
  wait(signal: AbortSignal, atMostMs = Infinity): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (this.missed) {
      this.missed = false;
      return Promise.resolve(true);
    }
    this.schedulePoll();
    return new Promise((resolve) => {
      const end = (isWoken: boolean) => {
        timer?.cancel();
        signal.removeEventListener('abort', cancel);
        this.waiting.delete(wake);
        resolve(isWoken);
      };
      const wake = () => end(true);
      const cancel = () => end(false);
      const timer = atMostMs === Infinity ? undefined : this.clock.after(atMostMs, cancel);
      signal.addEventListener('abort', cancel);
      this.waiting.add(wake);
    });
  }

  close(): void {
    this.poll?.cancel();
    this.onClose();
  }

  /** One poll for all members; a member that finds jobs wakes the next. Checks every second, because Redis may disconnect. */
  private schedulePoll(): void {
    this.poll ??= this.clock.after(pollWithoutRedisMs, () => {
      this.poll = undefined;
      if (this.isDue(this.clock.monotonic() - this.polledAt)) {
        this.polledAt = this.clock.monotonic();
        this.wakeNext();
      }
      if (this.waiting.size > 0) this.schedulePoll();
    });
  }
}
