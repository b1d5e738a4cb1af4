import type { Principal } from '@spooled/service';
import { mayUseQueue } from './queue-scope.js';

/**
 * The queues that a list may show: the requested one, or else those of the key; null = all. A queue outside the key's scope gives
 * an empty list, not an error, because lists are filtered.
 */
export function visibleQueues(principal: Principal, requested: string | undefined): string[] | null {
  if (requested === undefined || requested === '') return principal.queues;
  // PostgreSQL text cannot contain U+0000, so no queue name does.
  return mayUseQueue(principal, requested) && !requested.includes('\0') ? [requested] : [];
}
