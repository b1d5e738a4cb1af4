import type { Principal } from '../auth/principal.js';
import { mayUseQueue } from '../auth/queue-scope.js';

/**
 * The queues that a list may show: those of the key, or the one that was asked for; null = all. A queue out of scope gives an
 * empty list rather than a refusal, because lists are filtered.
 */
export function visibleQueues(principal: Principal, asked: string | undefined): string[] | null {
  if (asked === undefined || asked === '') return principal.queues;
  // PostgreSQL cannot compare with U+0000; no queue has it in its name.
  return mayUseQueue(principal, asked) && !asked.includes('\0') ? [asked] : [];
}
