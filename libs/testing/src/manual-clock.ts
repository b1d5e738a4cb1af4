import { setTimeout as pause } from 'node:timers/promises';
import type { Clock, Timer } from '@spooled/domain';

/** Longer than anything in the product lasts: code that takes the start for "long ago" fails. */
const startMonotonic = 1_000_000_000;

interface Pending extends Timer {
  at: number;
  everyMs?: number;
  isRefed: boolean;
  run(): void;
}

/** One turn of the event loop: promises settle, and sockets are read. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A clock that a spec moves. Sockets beside it are real: wait for them, then move on. */
export class ManualClock implements Clock {
  private elapsed = 0;
  /** In the order in which they were started; those of one moment run in this order. */
  private readonly pending = new Set<Pending>();

  constructor(private readonly startsAt = Date.parse('2030-01-01T00:00:00Z')) {}

  now(): number {
    return this.startsAt + this.elapsed;
  }

  monotonic(): number {
    return startMonotonic + this.elapsed;
  }

  /** Milliseconds until each timer and sleep is due, the next one first. */
  get timers(): number[] {
    return [...this.pending].map(({ at }) => at - this.elapsed).sort((a, b) => a - b);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        timer.cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = this.after(ms, end);
      signal?.addEventListener('abort', end);
    });
  }

  after(ms: number, run: () => void): Timer {
    return this.start(ms, run);
  }

  every(ms: number, run: () => void): Timer {
    return this.start(ms, run, ms);
  }

  /** Moves on and runs what becomes due, each at its own moment; before and after each, promises settle. */
  async advance(ms: number): Promise<void> {
    const end = this.elapsed + ms;
    await settle();
    for (let next = this.nextUntil(end); next; next = this.nextUntil(end)) {
      this.elapsed = Math.max(this.elapsed, next.at);
      this.fire(next);
      await settle();
    }
    this.elapsed = end;
  }

  /** Until a promise settles that also waits for sockets: moves on while there are timers, 10 ms in each real one. */
  async until<T>(awaited: Promise<T>): Promise<T> {
    let isSettled = false;
    const settled = () => (isSettled = true);
    awaited.then(settled, settled);
    while (!isSettled) {
      if (this.pending.size > 0) await this.advance(10);
      await pause(1);
    }
    return awaited;
  }

  /** @throws Error when a timer that keeps a process alive is left, or a sleep */
  assertIdle(): void {
    const left = [...this.pending].filter(({ isRefed }) => isRefed).map(({ at }) => at - this.elapsed);
    if (left.length > 0) throw new Error(`${left.length} timers are left, due in ${left.join(', ')} ms`);
  }

  private start(ms: number, run: () => void, everyMs?: number): Timer {
    const timer: Pending = {
      // As Node does: a timer is never due at once.
      at: this.elapsed + Math.max(1, ms),
      everyMs,
      isRefed: true,
      run,
      cancel: () => void this.pending.delete(timer),
      refresh: () => {
        this.pending.delete(timer);
        timer.at = this.elapsed + Math.max(1, ms);
        this.pending.add(timer);
      },
      unref: () => {
        timer.isRefed = false;
        return timer;
      },
    };
    this.pending.add(timer);
    return timer;
  }

  private nextUntil(end: number): Pending | undefined {
    let next: Pending | undefined;
    for (const timer of this.pending) if (timer.at <= end && !(next && next.at <= timer.at)) next = timer;
    return next;
  }

  private fire(timer: Pending): void {
    this.pending.delete(timer);
    if (timer.everyMs !== undefined) {
      timer.at += Math.max(1, timer.everyMs);
      this.pending.add(timer);
    }
    timer.run();
  }
}
