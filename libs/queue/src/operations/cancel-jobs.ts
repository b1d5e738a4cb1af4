import { filterWithTerms } from '@spooled/domain';
import { cancelJobs } from '../cancel/cancel.js';
import { hasMoreLiveJobs, takeLiveJobs } from './live-job-operations.queries.js';
import type { OperationStep } from './operation.js';
import { afterStep, allowedNow, stillRunning } from './pace.js';

/**
 * Cancels the jobs of a queue that no worker holds, and the jobs that cannot run without them (BX-15). Jobs that others hold at the
 * moment are left alone.
 */
export const cancelStep: OperationStep = async (tx, operation, { size, effects }) => {
  if (operation.state !== 'running')
    return { added: {}, state: operation.state, reason: operation.reason, waitMs: null };
  const limit = allowedNow(operation, size);
  if (limit === 0) return stillRunning(operation, 0, {});
  const { organizationId } = tx;
  const filter = filterWithTerms(operation.filter, operation.createdAt);
  const selection = { organizationId, filter: JSON.stringify(filter), createdUntil: operation.createdAt };
  const taken = await tx.run(takeLiveJobs, { ...selection, limit });
  if (taken.length === 0) return { added: {}, state: 'completed', waitMs: null };
  const ids = taken.map((row) => row.job_id);
  const cancelled = await cancelJobs(tx, ids, 'Cancelled by a bulk operation', effects);
  const [left] = await tx.run(hasMoreLiveJobs, selection);
  const added = { processed: ids.length, succeeded: cancelled.length };
  return afterStep(operation, ids.length, { added, hasMore: left!.more });
};
