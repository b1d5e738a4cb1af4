import { sleep } from '../http/sleep.js';

interface Timer {
  cancel(): void;
}

/** The time of a worker, which a test may move. */
export interface WorkerClock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Milliseconds since an unspecified moment; they never go back. */
  monotonic(): number;
  /** Resolves after `ms`, or when `signal` is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  after(ms: number, run: () => void): Timer;
  every(ms: number, run: () => void): Timer;
}

/** Resolves when `work`, which never rejects, has ended, and after `ms` at the latest. */
export function within(clock: WorkerClock, ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.after(ms, resolve);
    void work.then(() => {
      timer.cancel();
      resolve();
    });
  });
}

/** Node.js and browsers fire timers with longer delays at once. */
const longestTimerMs = 2 ** 31 - 1;

export const systemClock: WorkerClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, signal).catch(() => undefined),
  after: (delayMs, run) => {
    // What is overdue runs at once. Node.js would warn of a negative delay in the application's output.
    const ms = Math.max(delayMs, 0);
    let timer: ReturnType<typeof setTimeout>;
    const start = (leftMs: number) => {
      const partMs = Math.min(leftMs, longestTimerMs);
      timer = setTimeout(() => (leftMs > partMs ? start(leftMs - partMs) : run()), partMs);
    };
    start(ms);
    return { cancel: () => clearTimeout(timer) };
  },
  every: (ms, run) => {
    const timer = setInterval(run, ms);
    return { cancel: () => clearInterval(timer) };
  },
};
