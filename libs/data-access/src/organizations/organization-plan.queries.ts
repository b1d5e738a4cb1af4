/** Types generated for queries found in "libs/data-access/src/organizations/organization-plan.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'FindPlanById' parameters type */
export interface FindPlanByIdParams {
  id: string;
}

/** 'FindPlanById' return type */
export interface FindPlanByIdResult {
  custom_limits: unknown | null;
  id: string;
  plan_tier: string;
}

/** 'FindPlanById' query type */
export interface FindPlanByIdQuery {
  params: FindPlanByIdParams;
  result: FindPlanByIdResult;
}

const findPlanByIdIR: any = {"usedParamSet":{"id":true},"params":[{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":189,"b":192}]}],"statement":"-- The plan of the organization of a tenant's transaction. No row: it does not exist or is deleted.\n-- Index: primary key.\nSELECT id, plan_tier, custom_limits FROM organizations WHERE id = :id! AND plan_tier <> 'deleted'"};

/**
 * Query generated from SQL:
 * ```
 * -- The plan of the organization of a tenant's transaction. No row: it does not exist or is deleted.
 * -- Index: primary key.
 * SELECT id, plan_tier, custom_limits FROM organizations WHERE id = :id! AND plan_tier <> 'deleted'
 * ```
 */
export const findPlanById = new PreparedQuery<FindPlanByIdParams,FindPlanByIdResult>(findPlanByIdIR);


/** 'FindPlanBySlug' parameters type */
export interface FindPlanBySlugParams {
  slug: string;
}

/** 'FindPlanBySlug' return type */
export interface FindPlanBySlugResult {
  custom_limits: unknown | null;
  id: string;
  plan_tier: string;
}

/** 'FindPlanBySlug' query type */
export interface FindPlanBySlugQuery {
  params: FindPlanBySlugParams;
  result: FindPlanBySlugResult;
}

const findPlanBySlugIR: any = {"usedParamSet":{"slug":true},"params":[{"name":"slug","required":true,"transform":{"type":"scalar"},"locs":[{"a":180,"b":185}]}],"statement":"-- As findPlanById, before the organization is known: runs as spooled_system.\n-- Index: organizations_slug_key.\nSELECT id, plan_tier, custom_limits FROM organizations WHERE slug = :slug! AND plan_tier <> 'deleted'"};

/**
 * Query generated from SQL:
 * ```
 * -- As findPlanById, before the organization is known: runs as spooled_system.
 * -- Index: organizations_slug_key.
 * SELECT id, plan_tier, custom_limits FROM organizations WHERE slug = :slug! AND plan_tier <> 'deleted'
 * ```
 */
export const findPlanBySlug = new PreparedQuery<FindPlanBySlugParams,FindPlanBySlugResult>(findPlanBySlugIR);


/** 'FindMissingFunctions' parameters type */
export interface FindMissingFunctionsParams {
  names: stringArray;
}

/** 'FindMissingFunctions' return type */
export interface FindMissingFunctionsResult {
  name: string;
}

/** 'FindMissingFunctions' query type */
export interface FindMissingFunctionsQuery {
  params: FindMissingFunctionsParams;
  result: FindMissingFunctionsResult;
}

const findMissingFunctionsIR: any = {"usedParamSet":{"names":true},"params":[{"name":"names","required":true,"transform":{"type":"scalar"},"locs":[{"a":118,"b":124}]}],"statement":"-- Which of these functions the database lacks. Every role may read the catalogue.\nSELECT name AS \"name!\" FROM unnest(:names!::text[]) AS name\nWHERE NOT EXISTS (SELECT FROM pg_proc WHERE proname = name AND pg_function_is_visible(oid))\nORDER BY name"};

/**
 * Query generated from SQL:
 * ```
 * -- Which of these functions the database lacks. Every role may read the catalogue.
 * SELECT name AS "name!" FROM unnest(:names!::text[]) AS name
 * WHERE NOT EXISTS (SELECT FROM pg_proc WHERE proname = name AND pg_function_is_visible(oid))
 * ORDER BY name
 * ```
 */
export const findMissingFunctions = new PreparedQuery<FindMissingFunctionsParams,FindMissingFunctionsResult>(findMissingFunctionsIR);


