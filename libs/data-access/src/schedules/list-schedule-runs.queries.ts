/** Types generated for queries found in "libs/data-access/src/schedules/list-schedule-runs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

/** 'ListScheduleRuns' parameters type */
export interface ListScheduleRunsParams {
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
  started_at: string;
  status: string;
}

/** 'ListScheduleRuns' query type */
export interface ListScheduleRunsQuery {
  params: ListScheduleRunsParams;
  result: ListScheduleRunsResult;
}

const listScheduleRunsIR: any = {"usedParamSet":{"organizationId":true,"scheduleId":true,"limit":true,"offset":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":363,"b":378},{"a":462,"b":477}]},{"name":"scheduleId","required":true,"transform":{"type":"scalar"},"locs":[{"a":499,"b":510}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":556,"b":562}]},{"name":"offset","required":true,"transform":{"type":"scalar"},"locs":[{"a":571,"b":578}]}],"statement":"-- Runs of a schedule with the status of their jobs, newest first. The status is null when retention has deleted the job.\n-- Index: schedule_runs_newest; primary keys of jobs and job_queue.\nSELECT\n  r.id, r.schedule_id, r.job_id, r.status, r.error_message, r.started_at, r.completed_at,\n  (SELECT j.status::job_status FROM job_records j WHERE j.organization_id = :organizationId! AND j.id = r.job_id) AS job_status\nFROM schedule_runs r\nWHERE r.organization_id = :organizationId! AND r.schedule_id = :scheduleId!\nORDER BY r.started_at DESC, r.id DESC LIMIT :limit! OFFSET :offset!"};

/**
 * Query generated from SQL:
 * ```
 * -- Runs of a schedule with the status of their jobs, newest first. The status is null when retention has deleted the job.
 * -- Index: schedule_runs_newest; primary keys of jobs and job_queue.
 * SELECT
 *   r.id, r.schedule_id, r.job_id, r.status, r.error_message, r.started_at, r.completed_at,
 *   (SELECT j.status::job_status FROM job_records j WHERE j.organization_id = :organizationId! AND j.id = r.job_id) AS job_status
 * FROM schedule_runs r
 * WHERE r.organization_id = :organizationId! AND r.schedule_id = :scheduleId!
 * ORDER BY r.started_at DESC, r.id DESC LIMIT :limit! OFFSET :offset!
 * ```
 */
export const listScheduleRuns = new PreparedQuery<ListScheduleRunsParams,ListScheduleRunsResult>(listScheduleRunsIR);


