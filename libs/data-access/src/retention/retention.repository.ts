import type { SystemTransaction } from '../database/transactions.js';
import { forceIndexPlans } from '../database/force-index-plans.queries.js';
import { deleteDeadLetters as deleteDeadLettersSql } from './delete-dead-letters.queries.js';
import { deleteDeliveries as deleteDeliveriesSql } from './delete-deliveries.queries.js';
import { deleteFinishedJobs as deleteFinishedJobsSql } from './delete-finished-jobs.queries.js';
import { deleteInboundDeliveries as deleteInboundDeliveriesSql } from './delete-inbound-deliveries.queries.js';
import { deleteInboundRefusals as deleteInboundRefusalsSql } from './delete-inbound-refusals.queries.js';
import { deleteJobHistory as deleteJobHistorySql } from './delete-job-history.queries.js';
import { deleteOfflineWorkers as deleteOfflineWorkersSql } from './delete-offline-workers.queries.js';
import { deleteScheduleRuns as deleteScheduleRunsSql } from './delete-schedule-runs.queries.js';
import { deleteUsageCounters as deleteUsageCountersSql } from './delete-usage-counters.queries.js';
import { deleteBatches as deleteBatchesSql, deleteBatchJobs as deleteBatchJobsSql } from './delete-batches.queries.js';
import { deleteWorkflows as deleteWorkflowsSql } from './delete-workflows.queries.js';
import { listOrganizationPlans as listPlansSql, type ListOrganizationPlansResult } from './list-plans.queries.js';

export interface RetentionPeriod {
  organizationId: string;
  days: number;
}

const statements = {
  deadLetters: deleteDeadLettersSql,
  offlineWorkers: deleteOfflineWorkersSql,
  workflows: deleteWorkflowsSql,
  batchJobs: deleteBatchJobsSql,
  batches: deleteBatchesSql,
  jobHistory: deleteJobHistorySql,
  scheduleRuns: deleteScheduleRunsSql,
  deliveries: deleteDeliveriesSql,
  inboundDeliveries: deleteInboundDeliveriesSql,
  inboundRefusals: deleteInboundRefusalsSql,
  usageCounters: deleteUsageCountersSql,
};

/** Records with a retention period. */
export type RetainedRecord = keyof typeof statements | 'finishedJobs';

export interface RetentionBatch {
  /** Records that are deleted at most. */
  limit: number;
  /**
   * Finished jobs are looked for among those created at most this long before their period; null = among all, with the live jobs and
   * dead letters that are kept for longer.
   */
  lookBackSeconds: number | null;
}

const lowestId = '00000000-0000-0000-0000-000000000000';
/** A longer interval would exceed the range of timestamps. */
const maxDays = 365_000;

/** The next page of organizations with their plans, which determine the retention periods; `after` null = from the first. */
export const listOrganizationPlans = (
  tx: SystemTransaction,
  after: string | null,
  limit: number,
): Promise<ListOrganizationPlansResult[]> => tx.run(listPlansSql, { after: after ?? lowestId, limit });

/** Deletes records whose retention period has expired; returns how many. */
export async function deleteExpiredRecords(
  tx: SystemTransaction,
  kind: RetainedRecord,
  periods: readonly RetentionPeriod[],
  { limit, lookBackSeconds }: RetentionBatch,
): Promise<number> {
  const organizationIds = periods.map(({ organizationId }) => organizationId);
  const days = periods.map((each) => Math.min(each.days, maxDays));
  const expired = { organizationIds, days, limit };
  const [, rows] = await Promise.all([
    tx.run(forceIndexPlans),
    kind === 'finishedJobs'
      ? tx.run(deleteFinishedJobsSql, { ...expired, lookBackSeconds })
      : tx.run(statements[kind], expired),
  ]);
  return rows[0]?.deleted ?? 0;
}
