import { accessDenied } from '@spooled/domain';
import type { Principal } from '@spooled/service';

/** Whether the queue is in the key's scope. Names are compared literally; there are no patterns. */
export const mayUseQueue = ({ queues }: Pick<Principal, 'queues'>, queueName: string): boolean =>
  queues === null || queues.includes(queueName);

/** For routes that name a queue. @throws SpooledError 403 when the queue is not in the key's scope */
export function requireQueue(principal: Pick<Principal, 'queues'>, queueName: string): void {
  if (!mayUseQueue(principal, queueName)) throw accessDenied(`This API key has no access to queue "${queueName}"`);
}

/** For routes that need a key for all queues. @throws SpooledError 403 for a scoped key */
export function requireUnscoped({ queues }: Pick<Principal, 'queues'>): void {
  if (queues !== null) throw accessDenied('This route requires an API key without queue restrictions');
}
