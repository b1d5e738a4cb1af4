export const planTiers = ['free', 'starter', 'pro', 'enterprise'] as const;
export type PlanTier = (typeof planTiers)[number];

/** The numbers of a plan under the names that callers, settings and custom limits use for them. null = unlimited. */
export interface PlanNumbers {
  max_jobs_per_day: number | null;
  max_active_jobs: number | null;
  max_queues: number | null;
  max_workers: number | null;
  max_api_keys: number | null;
  max_schedules: number | null;
  /** 0 = the feature is not part of the plan. */
  max_workflows: number | null;
  /** Batches to which jobs can still be added. 0 = the feature is not part of the plan. */
  max_open_batches: number | null;
  max_webhooks: number | null;
  /** Concurrent calls of push queues, of each process of the webhooks service. 0 = no calls. */
  max_push_calls: number | null;
  max_payload_size_bytes: number;
  rate_limit_requests_per_second: number;
  rate_limit_burst: number;
  job_retention_days: number;
  history_retention_days: number;
  dead_letter_retention_days: number;
}

type Column<Field extends keyof PlanNumbers> = readonly PlanNumbers[Field][];

/** One column for each tier, as in `planTiers`. Published SDK tests assert the free plan's 10, 2 and 1. */
const table: { [Field in keyof PlanNumbers]: Column<Field> } = {
  max_jobs_per_day: [1_000, 10_000, 100_000, null],
  max_active_jobs: [10, 500, 5_000, null],
  max_queues: [2, 10, 50, null],
  max_workers: [1, 5, 25, null],
  max_api_keys: [2, 5, 25, null],
  max_schedules: [1, 10, 50, null],
  max_workflows: [0, 5, 25, null],
  max_open_batches: [1, 10, 50, null],
  max_webhooks: [1, 5, 20, null],
  max_push_calls: [5, 25, 100, null],
  max_payload_size_bytes: [65_536, 262_144, 1_048_576, 1_048_576],
  rate_limit_requests_per_second: [5, 25, 100, 500],
  rate_limit_burst: [10, 50, 200, 1_000],
  job_retention_days: [3, 14, 30, 90],
  history_retention_days: [1, 7, 30, 90],
  dead_letter_retention_days: [30, 90, 180, 365],
};

/**
 * Weight of an organization in capacity that tenants share (`TenantShares`, BX-03): alone it gets 80, 89, 94 or 97 % of a server's
 * requests in flight, and beside a free organization twice, four or eight times as many.
 */
export const shareWeights: { readonly [Tier in PlanTier]: number } = { free: 4, starter: 8, pro: 16, enterprise: 32 };

export const planFields = Object.keys(table) as (keyof PlanNumbers)[];

/** The numbers of a tier before any override. */
export function builtInPlan(tier: PlanTier): PlanNumbers {
  const column = planTiers.indexOf(tier);
  return Object.fromEntries(planFields.map((field) => [field, table[field][column]])) as unknown as PlanNumbers;
}
