import type { SystemTransaction } from '../database/transactions.js';
import deleteDeliveriesSql from './delete-deliveries.sql';
import deleteFinishedJobsSql from './delete-finished-jobs.sql';
import deleteJobHistorySql from './delete-job-history.sql';
import deleteScheduleRunsSql from './delete-schedule-runs.sql';
import deleteUsageCountersSql from './delete-usage-counters.sql';
import deleteWorkflowsSql from './delete-workflows.sql';
import listPlansSql from './list-plans.sql';

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
  const rows = await tx.query<{ id: string; plan_tier: string; custom_limits: unknown }>(listPlansSql, [
    after ?? beforeFirst,
    limit,
  ]);
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
  // Row by row through the indexes: a plan for many rows would read whole partitions to find a few.
  const rowByRow = `SELECT set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`;
  const organizations = keep.map(({ organizationId }) => organizationId);
  const days = keep.map((each) => Math.min(each.days, longestDays));
  const [, rows] = await Promise.all([
    tx.query(rowByRow),
    tx.query<{ deleted: number }>(statements[kind], [organizations, days, limit]),
  ]);
  return rows[0]?.deleted ?? 0;
}
