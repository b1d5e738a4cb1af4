import { queueSchemas } from '@spooled/contracts';
import { accessDenied, invalidField } from '@spooled/domain';
import type { Principal } from '@spooled/service';

/** Whether the queue is in the key's scope. Names are compared literally; there are no patterns. */
export const mayUseQueue = ({ queues }: Pick<Principal, 'queues'>, queueName: string): boolean =>
  queues === null || queues.includes(queueName);

/** For routes that name a queue. @throws SpooledError 403 when the queue is not in the key's scope */
export function requireQueue(principal: Pick<Principal, 'queues'>, queueName: string): void {
  if (!mayUseQueue(principal, queueName)) throw accessDenied(`This API key has no access to queue "${queueName}"`);
}

/** For routes that may create the queue. @throws SpooledError 400 for a name that no queue may have, 403 scope */
export function requireNewQueue(principal: Pick<Principal, 'queues'>, queueName: string): void {
  const { success, error } = queueSchemas.queueName.safeParse(queueName);
  if (!success) throw invalidField('queue_name', error.issues[0]!.message);
  requireQueue(principal, queueName);
}

/** For routes that need a key for all queues. @throws SpooledError 403 for a scoped key */
export function requireUnscoped({ queues }: Pick<Principal, 'queues'>): void {
  if (queues !== null) throw accessDenied('This route requires an API key without queue restrictions');
}

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
