import { accessDenied } from '@spooled/domain';
import type { Principal } from './principal.js';

/** Whether the key may touch the queue. Names are literal, there are no patterns. */
export const mayUseQueue = ({ queues }: Pick<Principal, 'queues'>, queueName: string): boolean =>
  queues === null || queues.includes(queueName);

/** For routes that name a queue. @throws SpooledError 403 when it is out of the key's scope */
export function requireQueue(principal: Pick<Principal, 'queues'>, queueName: string): void {
  if (!mayUseQueue(principal, queueName)) throw accessDenied(`This API key has no access to queue "${queueName}"`);
}

/** For what only a key for all queues may do. @throws SpooledError 403 for a scoped key */
export function requireUnscoped({ queues }: Pick<Principal, 'queues'>): void {
  if (queues !== null) throw accessDenied('This route requires an API key without queue restrictions');
}
