import { jobQuota } from '@spooled/domain';
import type { TenantTransaction } from '@spooled/data-access';
import { z } from 'zod';
import { stepsBeyondLimit } from '../dead-letters/dead-letters.js';
import { requeueJobs } from '../retry/retry.js';
import { settleItems } from './dead-letter-operations.queries.js';
import type { LockedOperation, OperationCounts, OperationStep, StepContext, StepResult } from './operation.js';
import { afterStep, allowedNow, endOrWait, stillRunning } from './pace.js';
import { type PatchedJob, patchPayloads, recordJobs } from './patch-payloads.js';
import { placeInTime, nextPlace, takeNext } from './take-dead-letters.js';

/** Replayed jobs that are looked at in one step to see how they ended. */
const settledPerStep = 500;
const stageWaitMs = 500;
/** How replayed jobs end is followed this long after the operation itself. */
const watchedMs = 3_600_000;
const watchWaitMs = 2_000;
const maxRefused = 1_000;
const defaultMinEnded = 10;

/**
 * Replayed jobs that have completed or failed an attempt, and those that have failed one. The rule that stops a replay counts the
 * first failed attempt: with backoff the last one may be hours away.
 */
const attemptsSchema = z.object({ tried: z.number(), failed: z.number() });
type Attempts = z.infer<typeof attemptsSchema>;

const progressSchema = z.object({
  ...attemptsSchema.shape,
  /** The last dead letter of the step before; absent: the first one comes next. */
  after: placeInTime.optional(),
});
type Progress = z.infer<typeof progressSchema>;

/** How the replayed jobs have done: what is new since the step before, and all attempts. */
interface Outcomes {
  settled: Partial<OperationCounts>;
  attempts: Attempts;
}

/**
 * Returns dead letters to pending, with a patched payload if one is given (BX-06). Each is taken at most once, because a step that
 * replays it also writes its item; one that dies again after the operation began is another dead letter.
 */
export const replayStep: OperationStep = async (tx, operation, context) => {
  const before = progressSchema.parse(operation.progress ?? { tried: 0, failed: 0 });
  const outcomes = await settle(tx, operation, before);
  const result = await nextStep(tx, operation, context, { ...outcomes, after: before.after });
  return { ...result, progress: { after: before.after, ...outcomes.attempts, ...result.progress } };
};

/** `progress` of the result: what else is new of it. */
async function nextStep(
  tx: TenantTransaction,
  operation: LockedOperation,
  context: StepContext,
  { settled, attempts, after }: Outcomes & Pick<Progress, 'after'>,
): Promise<StepResult> {
  const counts = sum(operation, settled);
  if (operation.state !== 'running') return watch(operation, counts, settled);
  const stopped = stopReason(operation, counts, attempts);
  if (stopped) return { added: settled, state: 'stopped', reason: stopped, waitMs: watchWaitMs };
  const room = stageRoom(operation.settings.stages ?? [], counts);
  if (room === 0) {
    return {
      added: settled,
      state: 'running',
      waitMs: stageWaitMs,
      reason: 'Waiting for the jobs of this stage to end',
    };
  }
  const most = allowedNow(operation, Math.min(context.size, room));
  if (most === 0) return stillRunning(operation, 0, settled);
  const taken = await takeNext(tx, operation, { after, limit: most });
  const items = taken.length > 0 ? await replay(tx, operation, idsOf(taken), context) : [];
  const had = new Set(idsOf(items));
  // Large payloads may have been left for the next step.
  const left = taken.findIndex(({ id }) => !had.has(id));
  const last = left < 0 ? taken.at(-1) : taken[left - 1];
  const next = await nextPlace(tx, operation, last?.place ?? after);
  const [hasMore, progress] = [next !== null, { after: next ?? undefined }];
  if (items.length === 0) return { ...endOrWait(settled, { hasMore, waitMs: watchWaitMs }), progress };
  const added = { ...settled, processed: items.length, refused: items.filter(({ error }) => error !== '').length };
  return { ...afterStep(operation, items.length, { added, hasMore, waitMs: watchWaitMs }), progress };
}

const idsOf = (all: { id: string }[]): string[] => all.map(({ id }) => id);

/** Returns what became of the jobs; of some nothing yet, if their payloads are large. */
async function replay(
  tx: TenantTransaction,
  operation: LockedOperation,
  ids: string[],
  { limits, effects, problemOf }: StepContext,
): Promise<PatchedJob[]> {
  const beyond = await stepsBeyondLimit(tx, ids, limits.max_workflows);
  const allowed = ids.filter((id) => !beyond.has(id));
  const patched = [
    ...[...beyond].map((id) => ({ id, error: 'The plan does not allow so many workflows' })),
    ...(await patchPayloads(tx, operation, allowed, problemOf)),
  ];
  const ready = patched.filter(({ error }) => error === '').map(({ id }) => id);
  const requeued = new Set(
    ready.length > 0 ? await requeueJobs(tx, ready, { quota: jobQuota(limits), reason: 'dlq' }, effects) : [],
  );
  const items = patched.map(({ id, error }) => ({
    id,
    error: error || (requeued.has(id) ? '' : 'The job can no longer be replayed'),
  }));
  await recordJobs(tx, operation, items, 'waiting');
  return items;
}

/** After its end only the counts change, until all replayed jobs have ended. */
function watch(
  { state, reason, endedAt, now }: LockedOperation,
  counts: OperationCounts,
  added: Partial<OperationCounts>,
): StepResult {
  const isOver = waiting(counts) === 0 || (endedAt !== null && now.getTime() - Date.parse(endedAt) > watchedMs);
  return { added, state, reason, waitMs: isOver ? null : watchWaitMs };
}

async function settle(tx: TenantTransaction, operation: LockedOperation, before: Attempts): Promise<Outcomes> {
  if (waiting(operation) === 0) return { settled: {}, attempts: before };
  const row = await tx.one(settleItems, {
    operationId: operation.id,
    limit: settledPerStep,
  });
  const { succeeded, failed, ended_otherwise: endedOtherwise, tried, failed_once: failedOnce } = row;
  const attempts = { tried: before.tried + tried, failed: before.failed + failedOnce };
  return { settled: { succeeded, failed, endedOtherwise }, attempts };
}

const waiting = ({ processed, refused, succeeded, failed, endedOtherwise }: OperationCounts): number =>
  processed - refused - succeeded - failed - endedOtherwise;

/** Why an operation must stop; null if it may continue. */
function stopReason(
  { settings }: LockedOperation,
  { refused }: OperationCounts,
  { tried, failed }: Attempts,
): string | null {
  if (refused > maxRefused) return `More than ${maxRefused} jobs could not be replayed`;
  const { max_failure_share: share, min_ended: minEnded } = settings;
  if (share === null || share === undefined) return null;
  if (tried < (minEnded ?? defaultMinEnded) || failed <= share * tried) return null;
  return `${failed} of ${tried} replayed jobs failed again, more than the allowed ${Math.round(share * 1000) / 10} %`;
}

/** How many jobs may be replayed before those of the current stage must have ended; 0 while they have not. */
function stageRoom(stages: number[], counts: OperationCounts): number {
  let end = 0;
  for (const stage of stages) {
    if (counts.processed === end && end > 0 && waiting(counts) > 0) return 0;
    end += stage;
    if (counts.processed < end) return end - counts.processed;
  }
  return counts.processed === end && waiting(counts) > 0 ? 0 : Infinity;
}

const sum = (counts: OperationCounts, added: Partial<OperationCounts>): OperationCounts => ({
  processed: counts.processed + (added.processed ?? 0),
  refused: counts.refused + (added.refused ?? 0),
  succeeded: counts.succeeded + (added.succeeded ?? 0),
  failed: counts.failed + (added.failed ?? 0),
  endedOtherwise: counts.endedOtherwise + (added.endedOtherwise ?? 0),
});
