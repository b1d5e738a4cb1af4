import type { SystemTransaction } from '../database/transactions.js';
import { deleteDeliveries as deleteDeliveriesSql } from './delete-deliveries.queries.js';
import { deleteFinishedJobs as deleteFinishedJobsSql } from './delete-finished-jobs.queries.js';
import { deleteJobHistory as deleteJobHistorySql } from './delete-job-history.queries.js';
import { deleteScheduleRuns as deleteScheduleRunsSql } from './delete-schedule-runs.queries.js';
import { deleteUsageCounters as deleteUsageCountersSql } from './delete-usage-counters.queries.js';
import { deleteWorkflows as deleteWorkflowsSql } from './delete-workflows.queries.js';
import { listOrganizationPlans as listPlansSql } from './list-plans.queries.js';
import { walkByIndex } from './walk-by-index.queries.js';

/** What decides how long an organization's records are kept. */
export interface OrganizationPlan {
  organizationId: string;
  planTier: string;
  customLimits: unknown;
}

/** How long an organization's records are kept. */
export interface KeepFor {
  organizationId: string;
  days: number;
}

const statements = {
  finishedJobs: deleteFinishedJobsSql,
  workflows: deleteWorkflowsSql,
  jobHistory: deleteJobHistorySql,
  scheduleRuns: deleteScheduleRunsSql,
  deliveries: deleteDeliveriesSql,
  usageCounters: deleteUsageCountersSql,
};

/** Kinds of records that age. */
export type AgingRecord = keyof typeof statements;

const beforeFirst = '00000000-0000-0000-0000-000000000000';
/** An interval of more days would reach behind PostgreSQL's first day. */
const longestDays = 365_000;

/** The next page of organizations; null = from the first. */
export async function listOrganizationPlans(
  tx: SystemTransaction,
  after: string | null,
  limit: number,
): Promise<OrganizationPlan[]> {
  const rows = await tx.run(listPlansSql, { after: after ?? beforeFirst, limit });
  return rows.map(({ id, plan_tier, custom_limits }) => ({
    organizationId: id,
    planTier: plan_tier,
    customLimits: custom_limits,
  }));
}

/** Deletes up to `limit` records of a kind that are older than their organization keeps them; returns how many. */
export async function deleteAged(
  tx: SystemTransaction,
  kind: AgingRecord,
  keep: readonly KeepFor[],
  limit: number,
): Promise<number> {
  const organizationIds = keep.map(({ organizationId }) => organizationId);
  const days = keep.map((each) => Math.min(each.days, longestDays));
  const [, rows] = await Promise.all([tx.run(walkByIndex), tx.run(statements[kind], { organizationIds, days, limit })]);
  return rows[0]?.deleted ?? 0;
}
