import type { JobQuota } from '@spooled/contracts';
import { quotaExceeded, type SpooledError } from '@spooled/domain';

/** What `check_job_quota_v1` puts into the message of its refusal. */
export interface QuotaRefusal {
  resource: string;
  current: number;
  limit: number;
}

export const quotaError = (refusal: QuotaRefusal, quota: Pick<JobQuota, 'plan' | 'upgradeTo'>): SpooledError =>
  quotaExceeded(refusal.resource, refusal.current, refusal.limit, quota.plan, quota.upgradeTo);

/** Translates the refusal when it ended a statement of its own. Rethrows everything else. */
export function rethrowQuota(error: unknown, quota: Pick<JobQuota, 'plan' | 'upgradeTo'>): never {
  if (error instanceof Error && 'code' in error && error.code === 'SPQ01') {
    throw quotaError(JSON.parse(error.message) as QuotaRefusal, quota);
  }
  throw error;
}
