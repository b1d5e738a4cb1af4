import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats `assertion` until it passes, and returns its result. The last failure is thrown when `timeoutMs` is over.
 * This is the only permitted way to wait in a test without a signal.
 */
export async function eventually<T>(
  assertion: () => T | Promise<T>,
  { timeoutMs = 10_000, everyMs = 25 } = {},
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() >= end) throw error;
      await sleep(everyMs);
    }
  }
}
