import { z } from 'zod';
import { quotaExceeded, type SpooledError } from '@spooled/domain';
import { hasSqlState } from './sql-states.js';

/** What `check_job_quota_v1` puts into the message of its refusal. */
export const quotaRefusal = z.object({ resource: z.string(), current: z.number(), limit: z.number() });

/** The plan that refuses, and the one that would not. */
interface Plan {
  plan: string;
  upgradeTo: string | null;
}

export const quotaError = (refusal: z.infer<typeof quotaRefusal>, { plan, upgradeTo }: Plan): SpooledError =>
  quotaExceeded(refusal.resource, refusal.current, refusal.limit, plan, upgradeTo);

/** Translates the refusal when it ended a statement of its own. Rethrows everything else. */
export function rethrowQuota(error: unknown, plan: Plan): never {
  if (!(error instanceof Error && hasSqlState(error, 'quotaExceeded'))) throw error;
  throw quotaError(quotaRefusal.parse(JSON.parse(error.message)), plan);
}
