import { liveSelection } from '@spooled/contracts';
import type { TenantTransaction } from '@spooled/data-access';
import { cancelJobs } from '../cancel/cancel.js';
import { prioritize } from '../prioritize/prioritize.queries.js';
import { reportActivations } from '../recover/activations.js';
import type { EffectsBuilder } from '../step/effects.js';
import { activateJobs, hasMoreLiveJobs, takeLiveJobs } from './live-job-operations.queries.js';
import type { LockedOperation, OperationStep } from './operation.js';
import { afterStep, allowedNow, stillRunning } from './pace.js';

/** Changes jobs whose live rows the transaction holds. @returns how many it has changed */
type Act = (
  tx: TenantTransaction,
  operation: LockedOperation,
  jobs: { ids: string[]; effects: EffectsBuilder },
) => Promise<number>;

/**
 * A step of an act on the jobs of a queue that no worker holds (BX-15). Jobs that others hold at the moment are left alone.
 * @param act changes the jobs so that the operation does not select them again
 */
const liveJobsStep =
  (act: Act): OperationStep =>
  async (tx, operation, { size, effects }) => {
    if (operation.state !== 'running')
      return { added: {}, state: operation.state, reason: operation.reason, waitMs: null };
    const limit = allowedNow(operation, size);
    if (limit === 0) return stillRunning(operation, 0, {});
    const filter = JSON.stringify(liveSelection(operation, operation.createdAt));
    const selection = { organizationId: tx.organizationId, filter, createdUntil: operation.createdAt };
    const taken = await tx.run(takeLiveJobs, { ...selection, limit });
    if (taken.length === 0) return { added: {}, state: 'completed', waitMs: null };
    const ids = taken.map((row) => row.job_id);
    const succeeded = await act(tx, operation, { ids, effects });
    const [left] = await tx.run(hasMoreLiveJobs, selection);
    return afterStep(operation, ids.length, { added: { processed: ids.length, succeeded }, hasMore: left!.more });
  };

/** Cancels also the jobs that cannot run without them. */
export const cancelStep = liveJobsStep(
  async (tx, _operation, { ids, effects }) =>
    (await cancelJobs(tx, ids, 'Cancelled by a bulk operation', effects)).length,
);

/** Changes the order in which the jobs of the queue are claimed. */
export const prioritizeStep = liveJobsStep(async (tx, { settings: { priority } }, { ids }) => {
  const changed = await tx.run(prioritize, {
    organizationId: tx.organizationId,
    ids,
    priority: priority!,
    queues: null,
  });
  return changed.length;
});

/** Makes jobs claimable now that wait for their time or for their next attempt. */
export const runNowStep = liveJobsStep(async (tx, _operation, { ids, effects }) => {
  const activated = await tx.run(activateJobs, { organizationId: tx.organizationId, ids });
  reportActivations(activated, effects);
  return activated.length;
});
