/** Types generated for queries found in "libs/data-access/src/retention/delete-offline-workers.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type numberArray = (number)[];

export type stringArray = (string)[];

/** 'DeleteOfflineWorkers' parameters type */
export interface DeleteOfflineWorkersParams {
  days: numberArray;
  limit: number;
  organizationIds: stringArray;
}

/** 'DeleteOfflineWorkers' return type */
export interface DeleteOfflineWorkersResult {
  deleted: number;
}

/** 'DeleteOfflineWorkers' query type */
export interface DeleteOfflineWorkersQuery {
  params: DeleteOfflineWorkersParams;
  result: DeleteOfflineWorkersResult;
}

const deleteOfflineWorkersIR: any = {"usedParamSet":{"organizationIds":true,"days":true,"limit":true},"params":[{"name":"organizationIds","required":true,"transform":{"type":"scalar"},"locs":[{"a":264,"b":280}]},{"name":"days","required":true,"transform":{"type":"scalar"},"locs":[{"a":291,"b":296}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":584,"b":590},{"a":627,"b":633}]}],"statement":"-- Deletes workers that have been offline for longer than the retention period.\n-- :days retention period of each of :organizationIds.\n-- Index: workers_organization.\nWITH horizon AS (\n  SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)\n), old AS MATERIALIZED (\n  SELECT w.organization_id, w.id FROM horizon h CROSS JOIN LATERAL (\n    SELECT organization_id, id FROM workers\n    WHERE organization_id = h.org AND status = 'offline' AND last_heartbeat < h.oldest AND updated_at < h.oldest\n    LIMIT :limit! FOR UPDATE SKIP LOCKED\n  ) w LIMIT :limit!\n), removed AS (\n  DELETE FROM workers w USING old WHERE w.organization_id = old.organization_id AND w.id = old.id AND w.status = 'offline'\n  RETURNING w.id\n)\nSELECT count(*) AS \"deleted!\" FROM removed"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes workers that have been offline for longer than the retention period.
 * -- :days retention period of each of :organizationIds.
 * -- Index: workers_organization.
 * WITH horizon AS (
 *   SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
 * ), old AS MATERIALIZED (
 *   SELECT w.organization_id, w.id FROM horizon h CROSS JOIN LATERAL (
 *     SELECT organization_id, id FROM workers
 *     WHERE organization_id = h.org AND status = 'offline' AND last_heartbeat < h.oldest AND updated_at < h.oldest
 *     LIMIT :limit! FOR UPDATE SKIP LOCKED
 *   ) w LIMIT :limit!
 * ), removed AS (
 *   DELETE FROM workers w USING old WHERE w.organization_id = old.organization_id AND w.id = old.id AND w.status = 'offline'
 *   RETURNING w.id
 * )
 * SELECT count(*) AS "deleted!" FROM removed
 * ```
 */
export const deleteOfflineWorkers = new PreparedQuery<DeleteOfflineWorkersParams,DeleteOfflineWorkersResult>(deleteOfflineWorkersIR);


