import { scheduler } from 'node:timers/promises';

/**
 * Lets the event loop handle all that waits for it. Twice, because what is scheduled while I/O is handled belongs to the same turn:
 * other I/O is only looked at between the first and the second.
 */
export async function nextTurn(): Promise<void> {
  await scheduler.yield();
  await scheduler.yield();
}
