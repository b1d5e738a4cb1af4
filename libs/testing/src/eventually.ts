import { setTimeout as sleep } from 'node:timers/promises';

/** How much longer than `timeoutMs` a busy machine may take, in all less than a test may. */
const mostTimesLonger = 4;
const longestMs = 45_000;

/**
 * Repeats `assertion` until it passes, and returns its result. The last failure is thrown when `timeoutMs` is over and the assertion has
 * been tried as often as fits into that time: a machine with other work may run neither this process nor others for seconds, which is
 * why the default is long as well.
 * This is the only permitted way to wait in a test without a signal.
 */
export async function eventually<T>(
  assertion: () => T | Promise<T>,
  { timeoutMs = 30_000, everyMs = 25 } = {},
): Promise<T> {
  const start = Date.now();
  const latestMs = Math.max(timeoutMs, Math.min(timeoutMs * mostTimesLonger, longestMs));
  for (let tries = 1; ; tries++) {
    try {
      return await assertion();
    } catch (error) {
      const tookMs = Date.now() - start;
      if (tookMs >= latestMs || (tookMs >= timeoutMs && tries * everyMs >= timeoutMs)) throw error;
      await sleep(everyMs);
    }
  }
}
