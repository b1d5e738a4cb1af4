// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './fail-jobs.sql';

export interface LockFailedJobsParams {
  batch: string;
}

export interface LockFailedJobsResult {
  cancel_requested: boolean;
  command: number;
  job_id: string;
  lease_id: string | null;
  max_retries: number;
  queue_name: string | null;
  retry_count: number;
  settings: unknown | null;
  why: string | null;
}

export interface ApplyFailuresParams {
  batch: string;
}

export interface ApplyFailuresResult {
  answer: unknown;
}

export const lockFailedJobs = new PreparedQuery<LockFailedJobsParams, LockFailedJobsResult>(sql, 'lockFailedJobs');
export const applyFailures = new PreparedQuery<ApplyFailuresParams, ApplyFailuresResult>(sql, 'applyFailures');
