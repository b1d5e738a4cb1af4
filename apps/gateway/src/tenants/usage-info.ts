import type { organizationSchemas } from '@spooled/contracts';
import type { UsageCounts } from '@spooled/data-access';
import { usageItem, usageWarnings, type PlanLimits } from '@spooled/domain';

/** The usage of an organization compared to its plan. */
export function usageInfo(limits: PlanLimits, used: UsageCounts): organizationSchemas.UsageInfo {
  const usage = {
    jobs_today: usageItem(used.jobs_today, limits.max_jobs_per_day),
    active_jobs: usageItem(used.active_jobs, limits.max_active_jobs),
    queues: usageItem(used.queues, limits.max_queues),
    workers: usageItem(used.workers, limits.max_workers),
    api_keys: usageItem(used.api_keys, limits.max_api_keys),
    schedules: usageItem(used.schedules, limits.max_schedules),
    workflows: usageItem(used.workflows, limits.max_workflows),
    open_batches: usageItem(used.open_batches, limits.max_open_batches),
    webhooks: usageItem(used.webhooks, limits.max_webhooks),
  };
  const warnings = usageWarnings(limits.tier, usage);
  return { plan: limits.tier, plan_display_name: limits.display_name, limits, usage, warnings };
}
