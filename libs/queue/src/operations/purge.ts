import { z } from 'zod';
import { purgeDeadLetters } from '../dead-letters/purge-dead-letters.queries.js';
import { commandRetentionSeconds } from '../step/command-log.js';
import type { OperationStep } from './operation.js';
import { afterStep, allowedNow, endOrWait, stillRunning } from './pace.js';
import { placeInTime, nextPlace, takeNext } from './take-dead-letters.js';

/** The last dead letter of the step before; absent: the first one comes next. */
const progressSchema = z.object({ after: placeInTime.optional() });

/** Deletes dead letters for good: records, history and idempotency keys (BX-15). */
export const purgeStep: OperationStep = async (tx, operation, { size }) => {
  if (operation.state !== 'running')
    return { added: {}, state: operation.state, reason: operation.reason, waitMs: null };
  const limit = allowedNow(operation, size);
  if (limit === 0) return stillRunning(operation, 0, {});
  const { after } = progressSchema.parse(operation.progress ?? {});
  const taken = await takeNext(tx, operation, { after, limit });
  const processed = taken.length;
  if (processed > 0) {
    await tx.run(purgeDeadLetters, {
      ids: taken.map(({ id }) => id),
      queueName: null,
      createdBefore: null,
      limit: processed,
      deadBefore: null,
      rememberedSeconds: commandRetentionSeconds,
    });
  }
  const next = await nextPlace(tx, operation, taken.at(-1)?.place ?? after);
  const [hasMore, progress] = [next !== null, { after: next ?? undefined }];
  if (processed === 0) return { ...endOrWait({}, { hasMore }), progress };
  return { ...afterStep(operation, processed, { added: { processed }, hasMore }), progress };
};
