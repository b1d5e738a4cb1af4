import type { TenantTransaction } from '../database/transactions.js';
import { countJobsAhead as countJobsAheadSql } from './count-jobs-ahead.queries.js';
import { readQueueState as readQueueStateSql, type ReadQueueStateResult } from './read-queue-state.queries.js';

export { countPlanUsage, type CountPlanUsageResult as PlanUsageRow } from './count-plan-usage.queries.js';
export { findJobToExplain, type FindJobToExplainResult as ExplainedJobRow } from './find-job-to-explain.queries.js';
export { listParents, type ListParentsResult as ParentRow } from './list-parents.queries.js';
export type { ReadQueueStateResult as QueueStateRow };

/** Counts for explanations stop here, so that their cost does not grow with the queue: up to 10,000 are exact, 10,001 means more. */
export const countBound = 10_001;

/** Number of jobs that a claim takes before this one, up to `countBound`; null unless the job is claimable itself. */
export async function countJobsAhead(tx: TenantTransaction, id: string): Promise<number | null> {
  return (await tx.first(countJobsAheadSql, { id, most: countBound }))?.ahead ?? null;
}

/**
 * What decides whether a queue moves; jobs and workers by state, each counted up to `countBound`. Zeros and defaults for an unknown
 * queue. `defaultTimeout` in seconds.
 */
export async function readQueueState(
  tx: TenantTransaction,
  queueName: string,
  defaultTimeout: number,
): Promise<ReadQueueStateResult> {
  return tx.one(readQueueStateSql, { queueName, defaultTimeout, most: countBound });
}
