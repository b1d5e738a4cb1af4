/** Types generated for queries found in "libs/data-access/src/operations/delete-old-operations.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'DeleteOldOperations' parameters type */
export interface DeleteOldOperationsParams {
  days: number;
  limit: number;
}

/** 'DeleteOldOperations' return type */
export interface DeleteOldOperationsResult {
  deleted: number;
}

/** 'DeleteOldOperations' query type */
export interface DeleteOldOperationsQuery {
  params: DeleteOldOperationsParams;
  result: DeleteOldOperationsResult;
}

const deleteOldOperationsIR: any = {"usedParamSet":{"days":true,"limit":true},"params":[{"name":"days","required":true,"transform":{"type":"scalar"},"locs":[{"a":205,"b":210}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":244,"b":250}]}],"statement":"-- Deletes operations that ended long ago, with their items, whether or not their organization still exists.\nWITH old AS (\n  SELECT id FROM operations WHERE ended_at < current_ts() - make_interval(days => :days!) AND next_step_at IS NULL LIMIT :limit!\n), removed AS (\n  DELETE FROM operations o USING old WHERE o.id = old.id RETURNING o.id\n)\nSELECT count(*) AS \"deleted!\" FROM removed"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes operations that ended long ago, with their items, whether or not their organization still exists.
 * WITH old AS (
 *   SELECT id FROM operations WHERE ended_at < current_ts() - make_interval(days => :days!) AND next_step_at IS NULL LIMIT :limit!
 * ), removed AS (
 *   DELETE FROM operations o USING old WHERE o.id = old.id RETURNING o.id
 * )
 * SELECT count(*) AS "deleted!" FROM removed
 * ```
 */
export const deleteOldOperations = new PreparedQuery<DeleteOldOperationsParams,DeleteOldOperationsResult>(deleteOldOperationsIR);


