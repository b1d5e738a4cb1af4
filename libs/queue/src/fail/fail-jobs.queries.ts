/** Types generated for queries found in "libs/queue/src/fail/fail-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'LockFailedJobs' parameters type */
export interface LockFailedJobsParams {
  batch: string;
}

/** 'LockFailedJobs' return type */
export interface LockFailedJobsResult {
  command: number;
  job_id: string;
  lease_id: string | null;
  max_retries: number;
  queue_name: string | null;
  retry_count: number;
  settings: unknown | null;
  why: string | null;
}

/** 'LockFailedJobs' query type */
export interface LockFailedJobsQuery {
  params: LockFailedJobsParams;
  result: LockFailedJobsResult;
}

const lockFailedJobsIR: any = {"usedParamSet":{"batch":true},"params":[{"name":"batch","required":true,"transform":{"type":"scalar"},"locs":[{"a":273,"b":279}]}],"statement":"-- Where there is a reason (`why`), the failure was refused and all columns after it are null.\nSELECT\n  command AS \"command!\", why, job_id AS \"job_id!\", queue_name, retry_count AS \"retry_count!\", max_retries AS \"max_retries!\", settings,\n  lease_id\nFROM lock_failed_jobs_v1(:batch!)"};

/**
 * Query generated from SQL:
 * ```
 * -- Where there is a reason (`why`), the failure was refused and all columns after it are null.
 * SELECT
 *   command AS "command!", why, job_id AS "job_id!", queue_name, retry_count AS "retry_count!", max_retries AS "max_retries!", settings,
 *   lease_id
 * FROM lock_failed_jobs_v1(:batch!)
 * ```
 */
export const lockFailedJobs = new PreparedQuery<LockFailedJobsParams,LockFailedJobsResult>(lockFailedJobsIR);


/** 'ApplyFailures' parameters type */
export interface ApplyFailuresParams {
  batch: string;
}

/** 'ApplyFailures' return type */
export interface ApplyFailuresResult {
  answer: unknown;
}

/** 'ApplyFailures' query type */
export interface ApplyFailuresQuery {
  params: ApplyFailuresParams;
  result: ApplyFailuresResult;
}

const applyFailuresIR: any = {"usedParamSet":{"batch":true},"params":[{"name":"batch","required":true,"transform":{"type":"scalar"},"locs":[{"a":25,"b":31}]}],"statement":"SELECT apply_failures_v1(:batch!) AS \"answer!\""};

/**
 * Query generated from SQL:
 * ```
 * SELECT apply_failures_v1(:batch!) AS "answer!"
 * ```
 */
export const applyFailures = new PreparedQuery<ApplyFailuresParams,ApplyFailuresResult>(applyFailuresIR);


