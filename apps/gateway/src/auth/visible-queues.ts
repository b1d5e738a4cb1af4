import type { Principal } from '@spooled/service';
import { mayUseQueue } from './queue-scope.js';

/**
 * The queues that a list may show: the requested one, or else those of the key; null = all. A queue outside the key's scope gives
 * an empty list, not an error, because lists are filtered.
 * @param requested by any of its parameters, of which empty ones count as absent; no job is in two queues
 */
export function visibleQueues(principal: Principal, ...requested: (string | undefined)[]): string[] | null {
  const [name, ...others] = new Set(requested.filter((one) => one !== undefined && one !== ''));
  if (name === undefined) return principal.queues;
  // PostgreSQL text cannot contain U+0000, so no queue name does.
  return others.length === 0 && mayUseQueue(principal, name) && !name.includes('\0') ? [name] : [];
}
