import type { TenantTransaction } from '../database/transactions.js';
import { findPlanById } from './organization-plan.queries.js';

export { findPlanBySlug } from './organization-plan.queries.js';

/** An organization and what its plan allows. */
export interface PlanRow {
  id: string;
  plan_tier: string;
  custom_limits: unknown;
}

/** The plan of the transaction's organization; undefined when it does not exist or was deleted. */
export async function findOrganizationPlan(tx: TenantTransaction): Promise<PlanRow | undefined> {
  return (await tx.run(findPlanById, { id: tx.organizationId }))[0];
}
