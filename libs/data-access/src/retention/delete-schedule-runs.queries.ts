/** Types generated for queries found in "libs/data-access/src/retention/delete-schedule-runs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type numberArray = (number)[];

export type stringArray = (string)[];

/** 'DeleteScheduleRuns' parameters type */
export interface DeleteScheduleRunsParams {
  days: numberArray;
  limit: number;
  organizationIds: stringArray;
}

/** 'DeleteScheduleRuns' return type */
export interface DeleteScheduleRunsResult {
  deleted: number;
}

/** 'DeleteScheduleRuns' query type */
export interface DeleteScheduleRunsQuery {
  params: DeleteScheduleRunsParams;
  result: DeleteScheduleRunsResult;
}

const deleteScheduleRunsIR: any = {"usedParamSet":{"organizationIds":true,"days":true,"limit":true},"params":[{"name":"organizationIds","required":true,"transform":{"type":"scalar"},"locs":[{"a":281,"b":297}]},{"name":"days","required":true,"transform":{"type":"scalar"},"locs":[{"a":308,"b":313}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":551,"b":557},{"a":571,"b":577}]}],"statement":"-- Deletes runs of schedules after the retention period of their organization.\n-- :days retention period of each of :organizationIds.\n-- Index: schedules_newest, schedule_runs_newest.\nWITH horizon AS (\n  SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)\n), old AS MATERIALIZED (\n  SELECT r.id FROM horizon h JOIN schedules s ON s.organization_id = h.org CROSS JOIN LATERAL (\n    SELECT id FROM schedule_runs WHERE schedule_id = s.id AND started_at < h.oldest LIMIT :limit!\n  ) r LIMIT :limit!\n), removed AS (\n  DELETE FROM schedule_runs r USING old WHERE r.id = old.id RETURNING r.id\n)\nSELECT count(*) AS \"deleted!\" FROM removed"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes runs of schedules after the retention period of their organization.
 * -- :days retention period of each of :organizationIds.
 * -- Index: schedules_newest, schedule_runs_newest.
 * WITH horizon AS (
 *   SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
 * ), old AS MATERIALIZED (
 *   SELECT r.id FROM horizon h JOIN schedules s ON s.organization_id = h.org CROSS JOIN LATERAL (
 *     SELECT id FROM schedule_runs WHERE schedule_id = s.id AND started_at < h.oldest LIMIT :limit!
 *   ) r LIMIT :limit!
 * ), removed AS (
 *   DELETE FROM schedule_runs r USING old WHERE r.id = old.id RETURNING r.id
 * )
 * SELECT count(*) AS "deleted!" FROM removed
 * ```
 */
export const deleteScheduleRuns = new PreparedQuery<DeleteScheduleRunsParams,DeleteScheduleRunsResult>(deleteScheduleRunsIR);


