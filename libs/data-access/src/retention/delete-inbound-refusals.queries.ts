/** Types generated for queries found in "libs/data-access/src/retention/delete-inbound-refusals.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type numberArray = (number)[];

export type stringArray = (string)[];

/** 'DeleteInboundRefusals' parameters type */
export interface DeleteInboundRefusalsParams {
  days: numberArray;
  limit: number;
  organizationIds: stringArray;
}

/** 'DeleteInboundRefusals' return type */
export interface DeleteInboundRefusalsResult {
  deleted: number;
}

/** 'DeleteInboundRefusals' query type */
export interface DeleteInboundRefusalsQuery {
  params: DeleteInboundRefusalsParams;
  result: DeleteInboundRefusalsResult;
}

const deleteInboundRefusalsIR: any = {"usedParamSet":{"organizationIds":true,"days":true,"limit":true},"params":[{"name":"organizationIds","required":true,"transform":{"type":"scalar"},"locs":[{"a":273,"b":289}]},{"name":"days","required":true,"transform":{"type":"scalar"},"locs":[{"a":300,"b":305}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":505,"b":511},{"a":525,"b":531}]}],"statement":"-- Deletes refused inbound webhooks after the retention period of their organization.\n-- :days retention period of each of :organizationIds.\n-- Index: inbound_refusals_newest.\nWITH horizon AS (\n  SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)\n), old AS MATERIALIZED (\n  SELECT d.id FROM horizon h CROSS JOIN LATERAL (\n    SELECT id FROM inbound_refusals WHERE organization_id = h.org AND created_at < h.oldest LIMIT :limit!\n  ) d LIMIT :limit!\n), removed AS (\n  DELETE FROM inbound_refusals d USING old WHERE d.id = old.id RETURNING d.id\n)\nSELECT count(*) AS \"deleted!\" FROM removed"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes refused inbound webhooks after the retention period of their organization.
 * -- :days retention period of each of :organizationIds.
 * -- Index: inbound_refusals_newest.
 * WITH horizon AS (
 *   SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
 * ), old AS MATERIALIZED (
 *   SELECT d.id FROM horizon h CROSS JOIN LATERAL (
 *     SELECT id FROM inbound_refusals WHERE organization_id = h.org AND created_at < h.oldest LIMIT :limit!
 *   ) d LIMIT :limit!
 * ), removed AS (
 *   DELETE FROM inbound_refusals d USING old WHERE d.id = old.id RETURNING d.id
 * )
 * SELECT count(*) AS "deleted!" FROM removed
 * ```
 */
export const deleteInboundRefusals = new PreparedQuery<DeleteInboundRefusalsParams,DeleteInboundRefusalsResult>(deleteInboundRefusalsIR);


