import { filterWithTerms, jobQuota } from '@spooled/domain';
import type { TenantTransaction } from '@spooled/data-access';
import { z } from 'zod';
import { stepsBeyondLimit } from '../dead-letters/dead-letters.js';
import { requeueJobs } from '../retry/retry.js';
import { hasMoreDeadLetters, recordItems, settleItems, takeDeadLetters } from './dead-letter-operations.queries.js';
import type { LockedOperation, OperationCounts, OperationStep, StepContext, StepResult } from './operation.js';
import { afterStep, allowedNow, endOrWait, stillRunning } from './pace.js';
import { patchPayloads } from './patch-payloads.js';

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
  const outcomes = await settle(tx, operation);
  return { ...(await nextStep(tx, operation, context, outcomes)), progress: outcomes.attempts };
};

async function nextStep(
  tx: TenantTransaction,
  operation: LockedOperation,
  context: StepContext,
  { settled, attempts }: Outcomes,
): Promise<StepResult> {
  const counts = sum(operation.counts, settled);
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
  const ids = await take(tx, operation, most);
  const replayed = ids.length > 0 ? await replay(tx, operation, ids, context) : null;
  const left = await tx.one(hasMoreDeadLetters, selection(tx, operation));
  if (!replayed) return endOrWait(settled, { hasMore: left.more, waitMs: watchWaitMs });
  const added = { ...settled, ...replayed };
  return afterStep(operation, replayed.processed, { added, hasMore: left.more, waitMs: watchWaitMs });
}

async function replay(
  tx: TenantTransaction,
  operation: LockedOperation,
  ids: string[],
  { limits, effects, problemOf }: StepContext,
): Promise<Pick<OperationCounts, 'processed' | 'refused'>> {
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
  await tx.run(recordItems, {
    operationId: operation.id,
    ids: items.map(({ id }) => id),
    errors: items.map(({ error }) => error),
    state: 'waiting',
  });
  return { processed: items.length, refused: items.filter(({ error }) => error !== '').length };
}

/** After its end only the counts change, until all replayed jobs have ended. */
function watch(
  { state, reason, endedAt, now }: LockedOperation,
  counts: OperationCounts,
  added: Partial<OperationCounts>,
): StepResult {
  const isOver = waiting(counts) === 0 || (endedAt !== null && now.getTime() - endedAt.getTime() > watchedMs);
  return { added, state, reason, waitMs: isOver ? null : watchWaitMs };
}

async function settle(tx: TenantTransaction, { id, counts, progress }: LockedOperation): Promise<Outcomes> {
  const before = attemptsSchema.parse(progress ?? { tried: 0, failed: 0 });
  if (waiting(counts) === 0) return { settled: {}, attempts: before };
  const row = await tx.one(settleItems, {
    operationId: id,
    limit: settledPerStep,
  });
  const { succeeded, failed, ended_otherwise: endedOtherwise, tried, failed_once: failedOnce } = row;
  const attempts = { tried: before.tried + tried, failed: before.failed + failedOnce };
  return { settled: { succeeded, failed, endedOtherwise }, attempts };
}

async function take(tx: TenantTransaction, operation: LockedOperation, limit: number): Promise<string[]> {
  return (await tx.run(takeDeadLetters, { ...selection(tx, operation), limit })).map((row) => row.job_id);
}

/** Which dead letters an operation takes. */
export const selection = (tx: TenantTransaction, { id, scope, filter, createdAt }: LockedOperation) => ({
  organizationId: tx.organizationId,
  operationId: id,
  scope,
  filter: JSON.stringify(filterWithTerms(filter, createdAt)),
  deadUntil: createdAt,
});

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
