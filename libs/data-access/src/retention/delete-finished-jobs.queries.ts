/** Types generated for queries found in "libs/data-access/src/retention/delete-finished-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type numberArray = (number)[];

export type stringArray = (string)[];

/** 'DeleteFinishedJobs' parameters type */
export interface DeleteFinishedJobsParams {
  days: numberArray;
  limit: number;
  lookBackSeconds?: number | null | void;
  organizationIds: stringArray;
}

/** 'DeleteFinishedJobs' return type */
export interface DeleteFinishedJobsResult {
  deleted: number;
}

/** 'DeleteFinishedJobs' query type */
export interface DeleteFinishedJobsQuery {
  params: DeleteFinishedJobsParams;
  result: DeleteFinishedJobsResult;
}

const deleteFinishedJobsIR: any = {"usedParamSet":{"lookBackSeconds":true,"organizationIds":true,"days":true,"limit":true},"params":[{"name":"lookBackSeconds","required":false,"transform":{"type":"scalar"},"locs":[{"a":611,"b":626},{"a":717,"b":732}]},{"name":"organizationIds","required":true,"transform":{"type":"scalar"},"locs":[{"a":764,"b":780}]},{"name":"days","required":true,"transform":{"type":"scalar"},"locs":[{"a":791,"b":796}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":1129,"b":1135},{"a":1149,"b":1155}]}],"statement":"-- Deletes finished jobs after the retention period of their organization, with their idempotency keys, dependencies and history.\n-- Live jobs and dead letters are kept, and looked at again each time: :lookBackSeconds says how long before the period the jobs that are\n-- looked at were created at the earliest, null = any time.\n-- :days retention period of each of :organizationIds.\n-- Index: job_history_job; jobs_newest: a job is created before it ends, so jobs that ended long ago are among the oldest jobs.\nWITH horizon AS (\n  SELECT org, current_ts() - make_interval(days => days) AS oldest, CASE\n    WHEN :lookBackSeconds::float8 IS NULL THEN '-infinity' ELSE current_ts() - make_interval(days => days, secs => :lookBackSeconds)\n  END AS since\n  FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)\n), old AS MATERIALIZED (\n  SELECT j.id FROM horizon h CROSS JOIN LATERAL (\n    SELECT id FROM jobs\n    WHERE organization_id = h.org AND created_at > '-infinity' AND created_at >= h.since AND created_at < h.oldest\n      AND completed_at < h.oldest\n      AND outcome IN ('completed', 'cancelled')\n    LIMIT :limit!\n  ) j LIMIT :limit!\n), removed AS (\n  DELETE FROM jobs j USING old WHERE j.id = old.id AND j.outcome IN ('completed', 'cancelled') RETURNING j.id, j.organization_id\n), keys AS (\n  DELETE FROM idempotency_keys k USING removed WHERE k.job_id = removed.id\n), edges AS (\n  DELETE FROM job_dependencies d USING removed WHERE d.job_id = removed.id\n), past AS (\n  DELETE FROM job_history h USING removed r WHERE h.organization_id = r.organization_id AND h.job_id = r.id\n)\nSELECT count(*) AS \"deleted!\" FROM removed"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes finished jobs after the retention period of their organization, with their idempotency keys, dependencies and history.
 * -- Live jobs and dead letters are kept, and looked at again each time: :lookBackSeconds says how long before the period the jobs that are
 * -- looked at were created at the earliest, null = any time.
 * -- :days retention period of each of :organizationIds.
 * -- Index: job_history_job; jobs_newest: a job is created before it ends, so jobs that ended long ago are among the oldest jobs.
 * WITH horizon AS (
 *   SELECT org, current_ts() - make_interval(days => days) AS oldest, CASE
 *     WHEN :lookBackSeconds::float8 IS NULL THEN '-infinity' ELSE current_ts() - make_interval(days => days, secs => :lookBackSeconds)
 *   END AS since
 *   FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
 * ), old AS MATERIALIZED (
 *   SELECT j.id FROM horizon h CROSS JOIN LATERAL (
 *     SELECT id FROM jobs
 *     WHERE organization_id = h.org AND created_at > '-infinity' AND created_at >= h.since AND created_at < h.oldest
 *       AND completed_at < h.oldest
 *       AND outcome IN ('completed', 'cancelled')
 *     LIMIT :limit!
 *   ) j LIMIT :limit!
 * ), removed AS (
 *   DELETE FROM jobs j USING old WHERE j.id = old.id AND j.outcome IN ('completed', 'cancelled') RETURNING j.id, j.organization_id
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
export const deleteFinishedJobs = new PreparedQuery<DeleteFinishedJobsParams,DeleteFinishedJobsResult>(deleteFinishedJobsIR);


