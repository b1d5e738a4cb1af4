import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Timer } from '@spooled/domain';

class SystemTimer implements Timer {
  constructor(private readonly timer: NodeJS.Timeout) {}

  cancel(): void {
    // Node's timers are of one kind: this ends intervals as well.
    clearTimeout(this.timer);
  }

  refresh(): void {
    this.timer.refresh();
  }

  unref(): this {
    this.timer.unref();
    return this;
  }
}

/** What is overdue is due now: Node.js would warn of a negative delay. */
const fromNow = (ms: number): number => Math.max(ms, 0);

/** The clock and the timers of the operating system. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => sleep(fromNow(ms), undefined, { signal }).catch(() => undefined),
  after: (ms, run) => new SystemTimer(setTimeout(run, fromNow(ms))),
  every: (ms, run) => new SystemTimer(setInterval(run, ms)),
};

/** Options of an `LRUCache` whose entries expire by this clock. It reads the clock at each call, not once per millisecond. */
export const expiringBy = (clock: Clock) => ({ perf: { now: () => clock.monotonic() }, ttlResolution: 0 });

/** Options of an LRU cache that keeps so many entries. Not `max`, which allocates for all of them at the start: 1.9 MB for 50,000. */
export const entriesUpTo = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
