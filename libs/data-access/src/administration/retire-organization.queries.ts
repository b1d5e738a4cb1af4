/** Types generated for queries found in "libs/data-access/src/administration/retire-organization.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'RetireOrganization' parameters type */
export type RetireOrganizationParams = void;

/** 'RetireOrganization' return type */
export interface RetireOrganizationResult {
  lookups: stringArray;
}

/** 'RetireOrganization' query type */
export interface RetireOrganizationQuery {
  params: RetireOrganizationParams;
  result: RetireOrganizationResult;
}

const retireOrganizationIR: any = {"usedParamSet":{},"params":[],"statement":"-- Marks the current organization as deleted and revokes its keys. Row-level security restricts both updates to the current\n-- organization. Returns the lookup hashes of its keys; no row: the organization does not exist.\nWITH revoked AS (\n  UPDATE api_keys SET is_active = false\n), retired AS (\n  UPDATE organizations SET plan_tier = 'deleted', updated_at = current_ts()\n  RETURNING id\n)\nSELECT ARRAY(SELECT key_lookup FROM api_keys) AS \"lookups!\" FROM retired"};

/**
 * Query generated from SQL:
 * ```
 * -- Marks the current organization as deleted and revokes its keys. Row-level security restricts both updates to the current
 * -- organization. Returns the lookup hashes of its keys; no row: the organization does not exist.
 * WITH revoked AS (
 *   UPDATE api_keys SET is_active = false
 * ), retired AS (
 *   UPDATE organizations SET plan_tier = 'deleted', updated_at = current_ts()
 *   RETURNING id
 * )
 * SELECT ARRAY(SELECT key_lookup FROM api_keys) AS "lookups!" FROM retired
 * ```
 */
export const retireOrganization = new PreparedQuery<RetireOrganizationParams,RetireOrganizationResult>(retireOrganizationIR);


