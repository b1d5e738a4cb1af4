/** Types generated for queries found in "libs/data-access/src/retention/delete-deliveries.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type numberArray = (number)[];

export type stringArray = (string)[];

/** 'DeleteDeliveries' parameters type */
export interface DeleteDeliveriesParams {
  days: numberArray;
  limit: number;
  organizationIds: stringArray;
}

/** 'DeleteDeliveries' return type */
export interface DeleteDeliveriesResult {
  deleted: number;
}

/** 'DeleteDeliveries' query type */
export interface DeleteDeliveriesQuery {
  params: DeleteDeliveriesParams;
  result: DeleteDeliveriesResult;
}

const deleteDeliveriesIR: any = {"usedParamSet":{"organizationIds":true,"days":true,"limit":true},"params":[{"name":"organizationIds","required":true,"transform":{"type":"scalar"},"locs":[{"a":270,"b":286}]},{"name":"days","required":true,"transform":{"type":"scalar"},"locs":[{"a":297,"b":302}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":532,"b":538},{"a":552,"b":558}]}],"statement":"-- Deletes finished deliveries after the retention period of their organization.\n-- :days retention period of each of :organizationIds.\n-- Index: webhook_deliveries_oldest.\nWITH horizon AS (\n  SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)\n), old AS MATERIALIZED (\n  SELECT d.id FROM horizon h CROSS JOIN LATERAL (\n    SELECT id FROM webhook_deliveries\n    WHERE organization_id = h.org AND created_at < h.oldest AND status <> 'pending' LIMIT :limit!\n  ) d LIMIT :limit!\n), removed AS (\n  DELETE FROM webhook_deliveries d USING old WHERE d.id = old.id AND d.status <> 'pending' RETURNING d.id\n)\nSELECT count(*) AS \"deleted!\" FROM removed"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes finished deliveries after the retention period of their organization.
 * -- :days retention period of each of :organizationIds.
 * -- Index: webhook_deliveries_oldest.
 * WITH horizon AS (
 *   SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
 * ), old AS MATERIALIZED (
 *   SELECT d.id FROM horizon h CROSS JOIN LATERAL (
 *     SELECT id FROM webhook_deliveries
 *     WHERE organization_id = h.org AND created_at < h.oldest AND status <> 'pending' LIMIT :limit!
 *   ) d LIMIT :limit!
 * ), removed AS (
 *   DELETE FROM webhook_deliveries d USING old WHERE d.id = old.id AND d.status <> 'pending' RETURNING d.id
 * )
 * SELECT count(*) AS "deleted!" FROM removed
 * ```
 */
export const deleteDeliveries = new PreparedQuery<DeleteDeliveriesParams,DeleteDeliveriesResult>(deleteDeliveriesIR);


