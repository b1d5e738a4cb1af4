/** Types generated for queries found in "libs/queue/src/recover/delete-old-commands.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'DeleteOldCommands' parameters type */
export interface DeleteOldCommandsParams {
  keptSeconds: number;
  limit: number;
}

/** 'DeleteOldCommands' return type */
export interface DeleteOldCommandsResult {
  forgotten: number;
}

/** 'DeleteOldCommands' query type */
export interface DeleteOldCommandsQuery {
  params: DeleteOldCommandsParams;
  result: DeleteOldCommandsResult;
}

const deleteOldCommandsIR: any = {"usedParamSet":{"keptSeconds":true,"limit":true},"params":[{"name":"keptSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":343,"b":355},{"a":591,"b":603}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":388,"b":394},{"a":636,"b":642}]}],"statement":"-- Deletes what is known of commands that can no longer be run again; :limit rows of each table.\n-- Relies on: command_log_oldest, command_fences_oldest.\nWITH logged AS (\n  DELETE FROM command_log WHERE (organization_id, command_id) IN (\n    SELECT organization_id, command_id FROM command_log WHERE created_at < now() - make_interval(secs => :keptSeconds!)\n    ORDER BY created_at LIMIT :limit! FOR UPDATE SKIP LOCKED)\n  RETURNING 1\n), fences AS (\n  DELETE FROM command_fences WHERE command_id IN (\n    SELECT command_id FROM command_fences WHERE created_at < now() - make_interval(secs => :keptSeconds!)\n    ORDER BY created_at LIMIT :limit!)\n  RETURNING 1\n)\nSELECT greatest((SELECT count(*) FROM logged), (SELECT count(*) FROM fences)) AS \"forgotten!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes what is known of commands that can no longer be run again; :limit rows of each table.
 * -- Relies on: command_log_oldest, command_fences_oldest.
 * WITH logged AS (
 *   DELETE FROM command_log WHERE (organization_id, command_id) IN (
 *     SELECT organization_id, command_id FROM command_log WHERE created_at < now() - make_interval(secs => :keptSeconds!)
 *     ORDER BY created_at LIMIT :limit! FOR UPDATE SKIP LOCKED)
 *   RETURNING 1
 * ), fences AS (
 *   DELETE FROM command_fences WHERE command_id IN (
 *     SELECT command_id FROM command_fences WHERE created_at < now() - make_interval(secs => :keptSeconds!)
 *     ORDER BY created_at LIMIT :limit!)
 *   RETURNING 1
 * )
 * SELECT greatest((SELECT count(*) FROM logged), (SELECT count(*) FROM fences)) AS "forgotten!"
 * ```
 */
export const deleteOldCommands = new PreparedQuery<DeleteOldCommandsParams,DeleteOldCommandsResult>(deleteOldCommandsIR);


