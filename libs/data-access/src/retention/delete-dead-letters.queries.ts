/** Types generated for queries found in "libs/data-access/src/retention/delete-dead-letters.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type numberArray = (number)[];

export type stringArray = (string)[];

/** 'DeleteDeadLetters' parameters type */
export interface DeleteDeadLettersParams {
  days: numberArray;
  limit: number;
  organizationIds: stringArray;
}

/** 'DeleteDeadLetters' return type */
export interface DeleteDeadLettersResult {
  deleted: number;
}

/** 'DeleteDeadLetters' query type */
export interface DeleteDeadLettersQuery {
  params: DeleteDeadLettersParams;
  result: DeleteDeadLettersResult;
}

const deleteDeadLettersIR: any = {"usedParamSet":{"organizationIds":true,"days":true,"limit":true},"params":[{"name":"organizationIds","required":true,"transform":{"type":"scalar"},"locs":[{"a":305,"b":321}]},{"name":"days","required":true,"transform":{"type":"scalar"},"locs":[{"a":332,"b":337}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":559,"b":565},{"a":602,"b":608}]}],"statement":"-- Deletes dead letters after the retention period of their organization, with everything that is kept about them.\n-- :days retention period of each of :organizationIds.\n-- Index: dead_letters_oldest_deaths.\nWITH horizon AS (\n  SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)\n), old AS MATERIALIZED (\n  SELECT d.job_id FROM horizon h CROSS JOIN LATERAL (\n    SELECT job_id FROM dead_letters WHERE organization_id = h.org AND dead_at < h.oldest\n    ORDER BY dead_at LIMIT :limit! FOR UPDATE SKIP LOCKED\n  ) d LIMIT :limit!\n), letters AS (\n  DELETE FROM dead_letters d USING old WHERE d.job_id = old.job_id\n), removed AS (\n  DELETE FROM jobs j USING old WHERE j.id = old.job_id AND j.outcome = 'deadletter' RETURNING j.id, j.organization_id\n), keys AS (\n  DELETE FROM idempotency_keys k USING removed WHERE k.job_id = removed.id\n), edges AS (\n  DELETE FROM job_dependencies d USING removed WHERE d.job_id = removed.id\n), past AS (\n  DELETE FROM job_history h USING removed r WHERE h.organization_id = r.organization_id AND h.job_id = r.id\n)\nSELECT count(*) AS \"deleted!\" FROM removed"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes dead letters after the retention period of their organization, with everything that is kept about them.
 * -- :days retention period of each of :organizationIds.
 * -- Index: dead_letters_oldest_deaths.
 * WITH horizon AS (
 *   SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
 * ), old AS MATERIALIZED (
 *   SELECT d.job_id FROM horizon h CROSS JOIN LATERAL (
 *     SELECT job_id FROM dead_letters WHERE organization_id = h.org AND dead_at < h.oldest
 *     ORDER BY dead_at LIMIT :limit! FOR UPDATE SKIP LOCKED
 *   ) d LIMIT :limit!
 * ), letters AS (
 *   DELETE FROM dead_letters d USING old WHERE d.job_id = old.job_id
 * ), removed AS (
 *   DELETE FROM jobs j USING old WHERE j.id = old.job_id AND j.outcome = 'deadletter' RETURNING j.id, j.organization_id
 * ), keys AS (
 *   DELETE FROM idempotency_keys k USING removed WHERE k.job_id = removed.id
 * ), edges AS (
 *   DELETE FROM job_dependencies d USING removed WHERE d.job_id = removed.id
 * ), past AS (
 *   DELETE FROM job_history h USING removed r WHERE h.organization_id = r.organization_id AND h.job_id = r.id
 * )
 * SELECT count(*) AS "deleted!" FROM removed
 * ```
 */
export const deleteDeadLetters = new PreparedQuery<DeleteDeadLettersParams,DeleteDeadLettersResult>(deleteDeadLettersIR);


