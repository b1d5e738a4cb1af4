/** Types generated for queries found in "libs/data-access/src/retention/delete-job-history.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type numberArray = (number)[];

export type stringArray = (string)[];

/** 'DeleteJobHistory' parameters type */
export interface DeleteJobHistoryParams {
  days: numberArray;
  limit: number;
  organizationIds: stringArray;
}

/** 'DeleteJobHistory' return type */
export interface DeleteJobHistoryResult {
  deleted: number;
}

/** 'DeleteJobHistory' query type */
export interface DeleteJobHistoryQuery {
  params: DeleteJobHistoryParams;
  result: DeleteJobHistoryResult;
}

const deleteJobHistoryIR: any = {"usedParamSet":{"organizationIds":true,"days":true,"limit":true},"params":[{"name":"organizationIds","required":true,"transform":{"type":"scalar"},"locs":[{"a":408,"b":424}]},{"name":"days","required":true,"transform":{"type":"scalar"},"locs":[{"a":435,"b":440}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":658,"b":664},{"a":678,"b":684}]}],"statement":"-- Deletes job history after the retention period of its organization.\n-- :days retention period of each of :organizationIds.\n-- Index: job_history_job: a job is older than its history, so old history is found among old job ids. The history of a job with\n-- an id from the future is dropped with its partition.\nWITH horizon AS (\n  SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)\n), old AS MATERIALIZED (\n  SELECT r.id FROM horizon h CROSS JOIN LATERAL (\n    SELECT id FROM job_history WHERE organization_id = h.org AND job_id < uuid_at(h.oldest) AND at < h.oldest LIMIT :limit!\n  ) r LIMIT :limit!\n), removed AS (\n  DELETE FROM job_history r USING old WHERE r.id = old.id RETURNING r.id\n)\nSELECT count(*) AS \"deleted!\" FROM removed"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes job history after the retention period of its organization.
 * -- :days retention period of each of :organizationIds.
 * -- Index: job_history_job: a job is older than its history, so old history is found among old job ids. The history of a job with
 * -- an id from the future is dropped with its partition.
 * WITH horizon AS (
 *   SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
 * ), old AS MATERIALIZED (
 *   SELECT r.id FROM horizon h CROSS JOIN LATERAL (
 *     SELECT id FROM job_history WHERE organization_id = h.org AND job_id < uuid_at(h.oldest) AND at < h.oldest LIMIT :limit!
 *   ) r LIMIT :limit!
 * ), removed AS (
 *   DELETE FROM job_history r USING old WHERE r.id = old.id RETURNING r.id
 * )
 * SELECT count(*) AS "deleted!" FROM removed
 * ```
 */
export const deleteJobHistory = new PreparedQuery<DeleteJobHistoryParams,DeleteJobHistoryResult>(deleteJobHistoryIR);


