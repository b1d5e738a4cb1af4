/** Types generated for queries found in "libs/data-access/src/retention/delete-inbound-deliveries.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type numberArray = (number)[];

export type stringArray = (string)[];

/** 'DeleteInboundDeliveries' parameters type */
export interface DeleteInboundDeliveriesParams {
  days: numberArray;
  limit: number;
  organizationIds: stringArray;
}

/** 'DeleteInboundDeliveries' return type */
export interface DeleteInboundDeliveriesResult {
  deleted: number;
}

/** 'DeleteInboundDeliveries' query type */
export interface DeleteInboundDeliveriesQuery {
  params: DeleteInboundDeliveriesParams;
  result: DeleteInboundDeliveriesResult;
}

const deleteInboundDeliveriesIR: any = {"usedParamSet":{"organizationIds":true,"days":true,"limit":true},"params":[{"name":"organizationIds","required":true,"transform":{"type":"scalar"},"locs":[{"a":276,"b":292}]},{"name":"days","required":true,"transform":{"type":"scalar"},"locs":[{"a":303,"b":308}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":510,"b":516},{"a":530,"b":536}]}],"statement":"-- Deletes the log of inbound webhooks after the retention period of its organization.\n-- :days retention period of each of :organizationIds.\n-- Index: inbound_deliveries_newest.\nWITH horizon AS (\n  SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)\n), old AS MATERIALIZED (\n  SELECT d.id FROM horizon h CROSS JOIN LATERAL (\n    SELECT id FROM inbound_deliveries WHERE organization_id = h.org AND created_at < h.oldest LIMIT :limit!\n  ) d LIMIT :limit!\n), removed AS (\n  DELETE FROM inbound_deliveries d USING old WHERE d.id = old.id RETURNING d.id\n)\nSELECT count(*) AS \"deleted!\" FROM removed"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes the log of inbound webhooks after the retention period of its organization.
 * -- :days retention period of each of :organizationIds.
 * -- Index: inbound_deliveries_newest.
 * WITH horizon AS (
 *   SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
 * ), old AS MATERIALIZED (
 *   SELECT d.id FROM horizon h CROSS JOIN LATERAL (
 *     SELECT id FROM inbound_deliveries WHERE organization_id = h.org AND created_at < h.oldest LIMIT :limit!
 *   ) d LIMIT :limit!
 * ), removed AS (
 *   DELETE FROM inbound_deliveries d USING old WHERE d.id = old.id RETURNING d.id
 * )
 * SELECT count(*) AS "deleted!" FROM removed
 * ```
 */
export const deleteInboundDeliveries = new PreparedQuery<DeleteInboundDeliveriesParams,DeleteInboundDeliveriesResult>(deleteInboundDeliveriesIR);


