import { liveSelection } from '@spooled/contracts';
import { forceIndexPlans, type TenantTransaction } from '@spooled/data-access';
import { jobQuota } from '@spooled/domain';
import { z } from 'zod';
import { cancelJobs } from '../cancel/cancel.js';
import { prioritize } from '../prioritize/prioritize.queries.js';
import { reportActivations } from '../recover/activations.js';
import { lockRequeues } from '../retry/requeue-jobs.queries.js';
import { commandRetentionSeconds } from '../step/command-log.js';
import {
  activateJobs,
  deleteCancelledJobs,
  findMoreLiveJobs,
  keepOrderOfIndexes,
  takeLiveJobs,
  type TakeLiveJobsParams,
} from './live-job-operations.queries.js';
import { moveJobs } from './move-jobs.js';
import type { LockedOperation, OperationStep, StepContext } from './operation.js';
import { afterStep, allowedNow, endOrWait, passing, stillRunning } from './pace.js';
import { accepted, patchPayloads, recordJobs } from './patch-payloads.js';

interface Acted {
  /** Absent = all: fewer if their payloads are large. */
  processed?: number;
  /** Jobs that have been changed, without those that are changed with them. */
  succeeded: number;
  refused?: number;
}

/** Where the next step goes on. */
const progressSchema = z.object({
  /** The place of the last job that was looked at, by `matching_live_jobs_v1`; null: the first job comes next. */
  after: z.object({ part: z.string(), priority: z.number(), at: z.string().nullable(), job_id: z.string() }).nullable(),
  /** The steps look at all jobs again, and have met none since that the operation has not had. */
  again: z.boolean(),
});
type Progress = z.infer<typeof progressSchema>;
const atFirst: Progress = { after: null, again: false };

/** A step looks at so many jobs for each that it takes, so that it ends among many that the operation has had. */
const lookedPerJob = 50;

/** Changes jobs whose live rows the transaction holds. */
type Act = (tx: TenantTransaction, operation: LockedOperation, ids: string[], context: StepContext) => Promise<Acted>;

/**
 * A step of an act on jobs that no worker holds (BX-15). What others lock, as claims do for a moment, waits for a later step. Each step
 * goes on behind the one before. At the end they begin again, until they have met no other job: some were locked, or have changed their place.
 * @param act changes or records the jobs so that the operation does not select them again
 * @param lock takes what must be locked before the jobs
 */
const liveJobsStep =
  (act: Act, lock?: (tx: TenantTransaction, context: StepContext) => Promise<void>): OperationStep =>
  async (tx, operation, context) => {
    if (operation.state !== 'running')
      return { added: {}, state: operation.state, reason: operation.reason, waitMs: null };
    const limit = allowedNow(operation, context.size);
    if (limit === 0) return stillRunning(operation, 0, {});
    const { after, again } = progressSchema.parse(operation.progress ?? atFirst);
    const behind = selectionOf(operation, limit);
    await lock?.(tx, context);
    // Most live jobs may be of one batch or queue: the planner would read all of all tenants.
    const [, , taken] = await Promise.all([
      tx.run(forceIndexPlans),
      tx.run(keepOrderOfIndexes),
      tx.run(takeLiveJobs, { ...behind(after), limit }),
    ]);
    const ids = taken.map((row) => row.job_id);
    const acted = ids.length > 0 ? await act(tx, operation, ids, context) : null;
    const { processed = ids.length, ...counts } = acted ?? { succeeded: 0 };
    const last = progressSchema.shape.after.parse(taken[processed - 1]?.place ?? after);
    const next = await findNext(tx, behind, { after: last, again: again && !acted });
    const progress = next ?? atFirst;
    const hasMore = next !== null;
    if (acted) return { ...afterStep(operation, processed, { added: { processed, ...counts }, hasMore }), progress };
    const isPassing = next !== null && next.after !== last;
    return { ...(isPassing ? passing : endOrWait({}, { hasMore })), progress };
  };

type Selection = Omit<TakeLiveJobsParams, 'limit' | 'organizationId'>;

/** What a step selects behind a place. */
function selectionOf(operation: LockedOperation, limit: number): (after: Progress['after']) => Selection {
  const { id: operationId, scope, createdAt: createdUntil } = operation;
  const chosen = liveSelection(operation, createdUntil);
  const looked = limit * lookedPerJob + 100;
  return (after) => ({ operationId, scope, filter: JSON.stringify({ ...chosen, after }), createdUntil, looked });
}

/** @returns null: the operation has had all jobs */
async function findNext(
  tx: TenantTransaction,
  behind: (after: Progress['after']) => Selection,
  { after, again }: Progress,
): Promise<Progress | null> {
  const { ahead, beyond } = await tx.one(findMoreLiveJobs, behind(after));
  if (ahead) return { after, again: false };
  if (beyond) return { after: progressSchema.shape.after.parse(beyond), again };
  return again ? null : findNext(tx, behind, { after: null, again: true });
}

/** Cancels also the jobs that cannot run without them. */
export const cancelStep = liveJobsStep(async (tx, operation, ids, { effects }) => {
  const cancelled = await cancelJobs(tx, ids, 'Cancelled by a bulk operation', effects);
  await recordJobs(tx, operation, accepted(ids), 'succeeded');
  const taken = new Set(ids);
  return { succeeded: cancelled.filter(({ id }) => taken.has(id)).length };
});

/** Changes the order in which the jobs of the queue are claimed. */
export const prioritizeStep = liveJobsStep(async (tx, operation, ids) => {
  const changed = await tx.run(prioritize, { ids, priority: operation.settings.priority!, queues: null });
  await recordJobs(tx, operation, accepted(ids), 'succeeded');
  return { succeeded: changed.length };
});

/** Makes jobs claimable now that wait for their time or for their next attempt. */
export const runNowStep = liveJobsStep(async (tx, operation, ids, { effects }) => {
  const activated = await tx.run(activateJobs, { ids });
  await recordJobs(tx, operation, accepted(ids), 'succeeded');
  reportActivations(activated, effects);
  return { succeeded: activated.length };
});

/** Moves jobs to another queue; those that it does not take stay where they are. */
export const moveStep = liveJobsStep(
  async (tx, operation, ids, { limits, effects, problemOf }) => {
    const looked = await moveJobs(tx, { ids, toQueue: operation.settings.to_queue!, limits, problemOf }, effects);
    const refused = looked.filter(({ error }) => error !== '');
    await recordJobs(tx, operation, looked, 'succeeded');
    return { processed: looked.length, succeeded: looked.length - refused.length, refused: refused.length };
  },
  // The check of the plan takes the lock, which creates hold while they wait for the live rows of parents.
  async (tx, { limits }) => {
    if (jobQuota(limits).maxQueues !== null) await tx.run(lockRequeues);
  },
);

/** Patches each payload once. A job that runs in the meantime is patched when it waits again, or not at all. */
export const patchStep = liveJobsStep(async (tx, operation, ids, { problemOf }) => {
  const patched = await patchPayloads(tx, operation, ids, problemOf);
  const refused = patched.filter(({ error }) => error !== '').length;
  await recordJobs(tx, operation, patched, 'succeeded');
  return { processed: patched.length, succeeded: patched.length - refused, refused };
});

/** Cancels jobs and those that cannot run without them, then deletes the former with everything that is kept about them. */
export const deleteStep = liveJobsStep(async (tx, _operation, ids, { effects }) => {
  const { organizationId } = tx;
  await cancelJobs(tx, ids, 'Deleted by a bulk operation', effects);
  const deleted = await tx.run(deleteCancelledJobs, {
    ids,
    rememberedSeconds: commandRetentionSeconds,
  });
  for (const { id, workflow_id: workflow } of deleted) {
    if (workflow !== null) effects.workflows.member(organizationId, workflow, id);
  }
  return { succeeded: deleted.length };
});
