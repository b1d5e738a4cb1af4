import { manualDeliveryLimits } from '@spooled/domain';
import { firstPlace } from '../queues/delete-queue.js';
import type { OperationStep } from './operation.js';
import { afterStep, allowedNow, stillRunning } from './pace.js';
import { hasMoreDeliveries, isWebhookEnabled, resendDeliveries } from './resend-deliveries.queries.js';
import { placeInTime } from './take-dead-letters.js';

/** Makes failed deliveries of a webhook due again, also those that were dropped while its receiver was down (BX-37). */
export const resendStep: OperationStep = async (tx, operation, { size, effects }) => {
  const { state, filter, createdAt, progress } = operation;
  if (state !== 'running') return { added: {}, state, reason: operation.reason, waitMs: null };
  const { organizationId } = tx;
  const webhook = await tx.first(isWebhookEnabled, { id: filter.webhook_id! });
  if (!webhook) return { added: {}, state: 'stopped', reason: 'The webhook no longer exists', waitMs: null };
  if (!webhook.enabled) return { added: {}, state: 'stopped', reason: 'The webhook is disabled', waitMs: null };
  const limit = allowedNow(operation, size);
  if (limit === 0) return stillRunning(operation, 0, {});
  // The last delivery of the step before. One that fails again is not taken twice.
  const after = placeInTime.parse(progress ?? firstPlace);
  const selection = { filter: JSON.stringify(filter), until: createdAt, ...manualDeliveryLimits };
  const taken = await tx.run(resendDeliveries, {
    ...selection,
    limit,
    afterTime: after.time,
    afterId: after.id,
  });
  const sent = taken.filter((row) => row.was_sent);
  effects.deliver(sent.filter(({ held }) => !held).map(({ id }) => ({ id, organization: organizationId })));
  const end = taken.at(-1);
  const last = end ? { time: end.created_at, id: end.id } : after;
  const left = await tx.one(hasMoreDeliveries, { ...selection, afterTime: last.time, afterId: last.id });
  const added = { processed: sent.length };
  return { ...afterStep(operation, sent.length, { added, hasMore: taken.length > 0 && left.more }), progress: last };
};
