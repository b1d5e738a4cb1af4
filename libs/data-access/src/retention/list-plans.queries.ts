/** Types generated for queries found in "libs/data-access/src/retention/list-plans.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ListOrganizationPlans' parameters type */
export interface ListOrganizationPlansParams {
  after: string;
  limit: number;
}

/** 'ListOrganizationPlans' return type */
export interface ListOrganizationPlansResult {
  custom_limits: unknown | null;
  id: string;
  plan_tier: string;
}

/** 'ListOrganizationPlans' query type */
export interface ListOrganizationPlansQuery {
  params: ListOrganizationPlansParams;
  result: ListOrganizationPlansResult;
}

const listOrganizationPlansIR: any = {"usedParamSet":{"after":true,"limit":true},"params":[{"name":"after","required":true,"transform":{"type":"scalar"},"locs":[{"a":182,"b":188}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":208,"b":214}]}],"statement":"-- One page of organizations with their plans, which determine the retention periods.\n-- Index: organizations_pkey.\nSELECT id, plan_tier, custom_limits FROM organizations WHERE id > :after! ORDER BY id LIMIT :limit!"};

/**
 * Query generated from SQL:
 * ```
 * -- One page of organizations with their plans, which determine the retention periods.
 * -- Index: organizations_pkey.
 * SELECT id, plan_tier, custom_limits FROM organizations WHERE id > :after! ORDER BY id LIMIT :limit!
 * ```
 */
export const listOrganizationPlans = new PreparedQuery<ListOrganizationPlansParams,ListOrganizationPlansResult>(listOrganizationPlansIR);


