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

const retireOrganizationIR: any = {"usedParamSet":{},"params":[],"statement":"-- Ends an organization without removing anything: no key of it is valid any more. Row-level security keeps both parts to the\n-- current organization. Returns the digests by which caches know its keys; no row: there is no such organization.\nWITH revoked AS (\n  UPDATE api_keys SET is_active = false\n), retired AS (\n  UPDATE organizations SET plan_tier = 'deleted', updated_at = now()\n  RETURNING id\n)\nSELECT ARRAY(SELECT key_lookup FROM api_keys) AS \"lookups!\" FROM retired"};

/**
 * Query generated from SQL:
 * ```
 * -- Ends an organization without removing anything: no key of it is valid any more. Row-level security keeps both parts to the
 * -- current organization. Returns the digests by which caches know its keys; no row: there is no such organization.
 * WITH revoked AS (
 *   UPDATE api_keys SET is_active = false
 * ), retired AS (
 *   UPDATE organizations SET plan_tier = 'deleted', updated_at = now()
 *   RETURNING id
 * )
 * SELECT ARRAY(SELECT key_lookup FROM api_keys) AS "lookups!" FROM retired
 * ```
 */
export const retireOrganization = new PreparedQuery<RetireOrganizationParams,RetireOrganizationResult>(retireOrganizationIR);


