import type { SystemTransaction, TenantTransaction, Transaction } from '../database/transactions.js';
import { findMissingFunctions, findPlanById, findPlanBySlug } from './organization-plan.queries.js';

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

/** As `findOrganizationPlan`, by slug. */
export async function findOrganizationBySlug(tx: SystemTransaction, slug: string): Promise<PlanRow | undefined> {
  return (await tx.run(findPlanBySlug, { slug }))[0];
}

/** Those of these database functions that are not installed. */
export async function missingFunctions(tx: Transaction, names: string[]): Promise<string[]> {
  return (await tx.run(findMissingFunctions, { names })).map(({ name }) => name);
}
