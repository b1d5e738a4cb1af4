/** Types generated for queries found in "libs/data-access/src/retention/delete-finished-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type numberArray = (number)[];

export type stringArray = (string)[];

/** 'DeleteFinishedJobs' parameters type */
export interface DeleteFinishedJobsParams {
  days: numberArray;
  limit: number;
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

const deleteFinishedJobsIR: any = {"usedParamSet":{"organizationIds":true,"days":true,"limit":true},"params":[{"name":"organizationIds","required":true,"transform":{"type":"scalar"},"locs":[{"a":425,"b":441}]},{"name":"days","required":true,"transform":{"type":"scalar"},"locs":[{"a":452,"b":457}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":758,"b":764},{"a":778,"b":784}]}],"statement":"-- Deletes finished jobs past their organization's age, with their idempotency keys and their edges to parents.\n-- Live jobs and dead letters stay, whatever their age.\n-- :days to keep, one for each of :organizationIds.\n-- Index: jobs_newest: a job is created before it ends, so what ended long ago is among what was created long ago.\nWITH horizon AS (\n  SELECT org, now() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)\n), old AS MATERIALIZED (\n  SELECT j.id FROM horizon h CROSS JOIN LATERAL (\n    SELECT id FROM jobs\n    WHERE organization_id = h.org AND created_at > '-infinity' AND created_at < h.oldest AND completed_at < h.oldest\n      AND outcome IN ('completed', 'cancelled')\n    LIMIT :limit!\n  ) j LIMIT :limit!\n), gone AS (\n  DELETE FROM jobs j USING old WHERE j.id = old.id AND j.outcome IN ('completed', 'cancelled') RETURNING j.id\n), keys AS (\n  DELETE FROM idempotency_keys k USING gone WHERE k.job_id = gone.id\n), edges AS (\n  DELETE FROM job_dependencies d USING gone WHERE d.job_id = gone.id\n)\nSELECT count(*) AS \"deleted!\" FROM gone"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes finished jobs past their organization's age, with their idempotency keys and their edges to parents.
 * -- Live jobs and dead letters stay, whatever their age.
 * -- :days to keep, one for each of :organizationIds.
 * -- Index: jobs_newest: a job is created before it ends, so what ended long ago is among what was created long ago.
 * WITH horizon AS (
 *   SELECT org, now() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
 * ), old AS MATERIALIZED (
 *   SELECT j.id FROM horizon h CROSS JOIN LATERAL (
 *     SELECT id FROM jobs
 *     WHERE organization_id = h.org AND created_at > '-infinity' AND created_at < h.oldest AND completed_at < h.oldest
 *       AND outcome IN ('completed', 'cancelled')
 *     LIMIT :limit!
 *   ) j LIMIT :limit!
 * ), gone AS (
 *   DELETE FROM jobs j USING old WHERE j.id = old.id AND j.outcome IN ('completed', 'cancelled') RETURNING j.id
 * ), keys AS (
 *   DELETE FROM idempotency_keys k USING gone WHERE k.job_id = gone.id
 * ), edges AS (
 *   DELETE FROM job_dependencies d USING gone WHERE d.job_id = gone.id
 * )
 * SELECT count(*) AS "deleted!" FROM gone
 * ```
 */
export const deleteFinishedJobs = new PreparedQuery<DeleteFinishedJobsParams,DeleteFinishedJobsResult>(deleteFinishedJobsIR);


