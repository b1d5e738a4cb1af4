import { setTimeout as sleep } from 'node:timers/promises';

/** How much longer than `timeoutMs` a busy machine may take, in all less than a test may. */
const mostTimesLonger = 4;
const longestMs = 45_000;

/** Every attempt costs the services and PostgreSQL CPU, which what is waited for may need: the pauses between them grow. */
const shortestPauseMs = 25;
const longestPauseMs = 200;
const growth = 1.25;
/** The test that waits keeps its worker of Jest alive. Without one that still waits, such as after a race, the worker must be able to exit. */
const ref = process.env.JEST_WORKER_ID === undefined;

/**
 * Repeats `assertion` until it passes, and returns its result. The last failure is thrown when `timeoutMs` is over and the assertion has
 * been tried as often as fits into that time: a machine with other work may run neither this process nor others for seconds, which is
 * why the default is long as well.
 * This is the only permitted way to wait in a test without a signal.
 *
 * @param options.everyMs equal pauses between attempts
 */
export async function eventually<T>(
  assertion: () => T | Promise<T>,
  { timeoutMs = 30_000, everyMs }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<T> {
  const start = Date.now();
  const latestMs = Math.max(timeoutMs, Math.min(timeoutMs * mostTimesLonger, longestMs));
  let pausedMs = 0;
  for (let pauseMs = everyMs ?? shortestPauseMs; ; pauseMs = everyMs ?? Math.min(growth * pauseMs, longestPauseMs)) {
    try {
      return await assertion();
    } catch (error) {
      const tookMs = Date.now() - start;
      if (tookMs >= latestMs || (tookMs >= timeoutMs && pausedMs >= timeoutMs)) throw error;
      await sleep(pauseMs, undefined, { ref });
      pausedMs += pauseMs;
    }
  }
}
