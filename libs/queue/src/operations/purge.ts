import { purgeDeadLetters } from '../dead-letters/purge-dead-letters.queries.js';
import { hasMoreDeadLetters, takeDeadLetters } from './dead-letter-operations.queries.js';
import { commandRetentionSeconds } from '../step/command-log.js';
import type { OperationStep } from './operation.js';
import { afterStep, allowedNow, endOrWait, stillRunning } from './pace.js';
import { selection } from './replay.js';

/** Deletes dead letters for good: records, history and idempotency keys (BX-15). */
export const purgeStep: OperationStep = async (tx, operation, { size }) => {
  if (operation.state !== 'running')
    return { added: {}, state: operation.state, reason: operation.reason, waitMs: null };
  const limit = allowedNow(operation, size);
  if (limit === 0) return stillRunning(operation, 0, {});
  const taken = await tx.run(takeDeadLetters, { ...selection(tx, operation), limit });
  if (taken.length === 0) {
    const left = await tx.one(hasMoreDeadLetters, selection(tx, operation));
    return endOrWait({}, { hasMore: left.more });
  }
  await tx.run(purgeDeadLetters, {
    ids: taken.map((row) => row.job_id),
    queueName: null,
    createdBefore: null,
    limit: taken.length,
    deadBefore: null,
    rememberedSeconds: commandRetentionSeconds,
  });
  const left = await tx.one(hasMoreDeadLetters, selection(tx, operation));
  return afterStep(operation, taken.length, { added: { processed: taken.length }, hasMore: left.more });
};
