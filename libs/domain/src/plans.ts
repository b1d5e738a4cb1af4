import { builtInPlan, planTiers, type PlanNumbers, type PlanTier } from './plan-numbers.js';
import { limitValues, type PlanOverrides } from './plan-overrides.js';

/** The limits of an organization, as returned to callers. */
export interface PlanLimits extends PlanNumbers {
  tier: PlanTier;
  display_name: string;
}

const displayNames: Record<PlanTier, string> = {
  free: 'Free',
  starter: 'Starter',
  pro: 'Pro',
  enterprise: 'Enterprise',
};

export const isPlanTier = (text: string): text is PlanTier => (planTiers as readonly string[]).includes(text);

/**
 * The limits of one organization: built-in numbers, then the operator's overrides, then the organization's own.
 * An unknown tier (a deleted organization has one) counts as free. Members of `customLimits` that make no sense are
 * passed over: what is stored already must not stop a request.
 */
export function planLimits(tier: string, overrides: PlanOverrides = {}, customLimits: unknown = null): PlanLimits {
  const known = isPlanTier(tier) ? tier : 'free';
  return {
    tier: known,
    display_name: displayNames[known],
    ...builtInPlan(known),
    ...overrides[known],
    ...limitValues(customLimits),
  };
}

/** The plan to suggest when a limit is reached; null for the highest. */
export function upgradeTo(tier: string): PlanTier | null {
  const index = isPlanTier(tier) ? planTiers.indexOf(tier) : 0;
  return planTiers[index + 1] ?? null;
}

/** The caps that creating jobs must respect, in the shape of the command vocabulary. */
export const jobQuota = ({ tier: plan, ...limits }: PlanLimits) => ({
  plan,
  upgradeTo: upgradeTo(plan),
  maxJobsPerDay: limits.max_jobs_per_day,
  maxActiveJobs: limits.max_active_jobs,
  maxQueues: limits.max_queues,
});

export const workerQuota = ({ tier: plan, max_workers: maxWorkers }: PlanLimits) => ({
  plan,
  maxWorkers,
  upgradeTo: upgradeTo(plan),
});
