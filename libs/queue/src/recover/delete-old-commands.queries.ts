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

const deleteOldCommandsIR: any = {"usedParamSet":{"keptSeconds":true,"limit":true},"params":[{"name":"keptSeconds","required":true,"transform":{"type":"scalar"},"locs":[{"a":484,"b":496},{"a":737,"b":749},{"a":961,"b":973}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":529,"b":535},{"a":782,"b":788},{"a":1006,"b":1012}]}],"statement":"-- Deletes what is known of commands that can no longer be run again; :limit rows of each table. The rows are deleted by their addresses,\n-- for which there is one plan only; a row that is just updated gets another one and is left for the next run.\n-- Relies on: command_log_oldest, command_fences_oldest, deleted_jobs_oldest.\nWITH logged AS (\n  DELETE FROM command_log WHERE ctid = ANY (ARRAY(\n    SELECT ctid FROM command_log WHERE created_at < current_ts() - make_interval(secs => :keptSeconds!)\n    ORDER BY created_at LIMIT :limit! FOR UPDATE SKIP LOCKED))\n  RETURNING 1\n), fences AS (\n  DELETE FROM command_fences WHERE ctid = ANY (ARRAY(\n    SELECT ctid FROM command_fences WHERE created_at < current_ts() - make_interval(secs => :keptSeconds!)\n    ORDER BY created_at LIMIT :limit!))\n  RETURNING 1\n), jobs AS (\n  DELETE FROM deleted_jobs WHERE ctid = ANY (ARRAY(\n    SELECT ctid FROM deleted_jobs WHERE created_at < current_ts() - make_interval(secs => :keptSeconds!)\n    ORDER BY created_at LIMIT :limit! FOR UPDATE SKIP LOCKED))\n  RETURNING 1\n)\nSELECT greatest((SELECT count(*) FROM logged), (SELECT count(*) FROM fences), (SELECT count(*) FROM jobs)) AS \"forgotten!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes what is known of commands that can no longer be run again; :limit rows of each table. The rows are deleted by their addresses,
 * -- for which there is one plan only; a row that is just updated gets another one and is left for the next run.
 * -- Relies on: command_log_oldest, command_fences_oldest, deleted_jobs_oldest.
 * WITH logged AS (
 *   DELETE FROM command_log WHERE ctid = ANY (ARRAY(
 *     SELECT ctid FROM command_log WHERE created_at < current_ts() - make_interval(secs => :keptSeconds!)
 *     ORDER BY created_at LIMIT :limit! FOR UPDATE SKIP LOCKED))
 *   RETURNING 1
 * ), fences AS (
 *   DELETE FROM command_fences WHERE ctid = ANY (ARRAY(
 *     SELECT ctid FROM command_fences WHERE created_at < current_ts() - make_interval(secs => :keptSeconds!)
 *     ORDER BY created_at LIMIT :limit!))
 *   RETURNING 1
 * ), jobs AS (
 *   DELETE FROM deleted_jobs WHERE ctid = ANY (ARRAY(
 *     SELECT ctid FROM deleted_jobs WHERE created_at < current_ts() - make_interval(secs => :keptSeconds!)
 *     ORDER BY created_at LIMIT :limit! FOR UPDATE SKIP LOCKED))
 *   RETURNING 1
 * )
 * SELECT greatest((SELECT count(*) FROM logged), (SELECT count(*) FROM fences), (SELECT count(*) FROM jobs)) AS "forgotten!"
 * ```
 */
export const deleteOldCommands = new PreparedQuery<DeleteOldCommandsParams,DeleteOldCommandsResult>(deleteOldCommandsIR);


