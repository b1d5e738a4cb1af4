import { z } from 'zod';
import { quotaExceeded, type SpooledError } from '@spooled/domain';
import { hasFunctionErrorCode } from './function-error-codes.js';

/** The JSON message of the error that `check_job_quota_v1` raises. */
export const quotaRefusal = z.object({ resource: z.string(), current: z.number(), limit: z.number() });

/** The current plan and the plan to upgrade to. */
interface Plan {
  plan: string;
  upgradeTo: string | null;
}

export const quotaError = (refusal: z.infer<typeof quotaRefusal>, { plan, upgradeTo }: Plan): SpooledError =>
  quotaExceeded(refusal.resource, { current: refusal.current, limit: refusal.limit, plan, upgradeTo });

/** Converts a quota error of a statement to a `SpooledError`; rethrows every other error. */
export function rethrowQuotaError(error: unknown, plan: Plan): never {
  if (!(error instanceof Error && hasFunctionErrorCode(error, 'quotaExceeded'))) throw error;
  throw quotaError(quotaRefusal.parse(JSON.parse(error.message)), plan);
}
