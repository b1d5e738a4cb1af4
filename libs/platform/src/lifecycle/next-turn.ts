import { scheduler } from 'node:timers/promises';

/**
 * Lets the event loop handle pending I/O. Waits twice, because a `setImmediate` from an I/O callback runs in the same turn; other I/O is
 * handled only between the first and the second.
 */
export async function nextTurn(): Promise<void> {
  await scheduler.yield();
  await scheduler.yield();
}
