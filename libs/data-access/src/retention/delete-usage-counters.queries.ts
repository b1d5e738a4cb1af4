/** Types generated for queries found in "libs/data-access/src/retention/delete-usage-counters.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type numberArray = (number)[];

export type stringArray = (string)[];

/** 'DeleteUsageCounters' parameters type */
export interface DeleteUsageCountersParams {
  days: numberArray;
  limit: number;
  organizationIds: stringArray;
}

/** 'DeleteUsageCounters' return type */
export interface DeleteUsageCountersResult {
  deleted: number;
}

/** 'DeleteUsageCounters' query type */
export interface DeleteUsageCountersQuery {
  params: DeleteUsageCountersParams;
  result: DeleteUsageCountersResult;
}

const deleteUsageCountersIR: any = {"usedParamSet":{"organizationIds":true,"days":true,"limit":true},"params":[{"name":"organizationIds","required":true,"transform":{"type":"scalar"},"locs":[{"a":249,"b":265}]},{"name":"days","required":true,"transform":{"type":"scalar"},"locs":[{"a":276,"b":281}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":495,"b":501},{"a":515,"b":521}]}],"statement":"-- Deletes counters of days that no quota and no report uses.\n-- :days retention period of each of :organizationIds.\n-- Index: usage_counters_pkey.\nWITH horizon AS (\n  SELECT org, (current_ts() AT TIME ZONE 'UTC')::date - days AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)\n), old AS MATERIALIZED (\n  SELECT u.* FROM horizon h CROSS JOIN LATERAL (\n    SELECT organization_id, day, slot FROM usage_counters WHERE organization_id = h.org AND day < h.oldest LIMIT :limit!\n  ) u LIMIT :limit!\n), removed AS (\n  DELETE FROM usage_counters u USING old\n  WHERE (u.organization_id, u.day, u.slot) = (old.organization_id, old.day, old.slot) RETURNING u.day\n)\nSELECT count(*) AS \"deleted!\" FROM removed"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes counters of days that no quota and no report uses.
 * -- :days retention period of each of :organizationIds.
 * -- Index: usage_counters_pkey.
 * WITH horizon AS (
 *   SELECT org, (current_ts() AT TIME ZONE 'UTC')::date - days AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
 * ), old AS MATERIALIZED (
 *   SELECT u.* FROM horizon h CROSS JOIN LATERAL (
 *     SELECT organization_id, day, slot FROM usage_counters WHERE organization_id = h.org AND day < h.oldest LIMIT :limit!
 *   ) u LIMIT :limit!
 * ), removed AS (
 *   DELETE FROM usage_counters u USING old
 *   WHERE (u.organization_id, u.day, u.slot) = (old.organization_id, old.day, old.slot) RETURNING u.day
 * )
 * SELECT count(*) AS "deleted!" FROM removed
 * ```
 */
export const deleteUsageCounters = new PreparedQuery<DeleteUsageCountersParams,DeleteUsageCountersResult>(deleteUsageCountersIR);


