/** Types generated for queries found in "libs/data-access/src/schedules/list-schedule-runs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

/** 'ListScheduleRuns' parameters type */
export interface ListScheduleRunsParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  limit: number;
  offset: number;
  organizationId: string;
  scheduleId: string;
}

/** 'ListScheduleRuns' return type */
export interface ListScheduleRunsResult {
  completed_at: string | null;
  error_message: string | null;
  id: string;
  job_id: string | null;
  job_status: job_status | null;
  schedule_id: string;
  source: string;
  started_at: string;
  status: string;
}

/** 'ListScheduleRuns' query type */
export interface ListScheduleRunsQuery {
  params: ListScheduleRunsParams;
  result: ListScheduleRunsResult;
}

const listScheduleRunsIR: any = {"usedParamSet":{"organizationId":true,"scheduleId":true,"afterTime":true,"afterId":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":461,"b":476},{"a":560,"b":575}]},{"name":"scheduleId","required":true,"transform":{"type":"scalar"},"locs":[{"a":597,"b":608}]},{"name":"afterTime","required":false,"transform":{"type":"scalar"},"locs":[{"a":617,"b":626},{"a":676,"b":685}]},{"name":"afterId","required":false,"transform":{"type":"scalar"},"locs":[{"a":688,"b":695}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":749,"b":755}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":764,"b":771}]}],"statement":"-- Runs of a schedule with the status of their jobs, newest first. The status is null when retention has deleted the job.\n-- :afterTime and :afterId of the last run of the previous page, null = the first page.\n-- Index: schedule_runs_newest; primary keys of jobs and job_queue.\nSELECT\n  r.id, r.schedule_id, r.job_id, r.status, r.error_message, r.started_at, r.completed_at, r.source,\n  (SELECT j.status::job_status FROM job_records j WHERE j.organization_id = :organizationId! AND j.id = r.job_id) AS job_status\nFROM schedule_runs r\nWHERE r.organization_id = :organizationId! AND r.schedule_id = :scheduleId!\n  AND (:afterTime::timestamptz IS NULL OR (r.started_at, r.id) < (:afterTime, :afterId::uuid))\nORDER BY r.started_at DESC, r.id DESC LIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- Runs of a schedule with the status of their jobs, newest first. The status is null when retention has deleted the job.
 * -- :afterTime and :afterId of the last run of the previous page, null = the first page.
 * -- Index: schedule_runs_newest; primary keys of jobs and job_queue.
 * SELECT
 *   r.id, r.schedule_id, r.job_id, r.status, r.error_message, r.started_at, r.completed_at, r.source,
 *   (SELECT j.status::job_status FROM job_records j WHERE j.organization_id = :organizationId! AND j.id = r.job_id) AS job_status
 * FROM schedule_runs r
 * WHERE r.organization_id = :organizationId! AND r.schedule_id = :scheduleId!
 *   AND (:afterTime::timestamptz IS NULL OR (r.started_at, r.id) < (:afterTime, :afterId::uuid))
 * ORDER BY r.started_at DESC, r.id DESC LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listScheduleRuns = new PreparedQuery<ListScheduleRunsParams,ListScheduleRunsResult>(listScheduleRunsIR);


