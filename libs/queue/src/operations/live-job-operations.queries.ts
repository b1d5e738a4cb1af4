// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './live-job-operations.sql';

export type live_state = 'leased' | 'ready' | 'retrying' | 'scheduled';

export type stringArray = (string)[];

export interface HasMoreLiveJobsParams {
  createdUntil: string;
  filter: string;
  organizationId: string;
}

export interface HasMoreLiveJobsResult {
  more: boolean;
}

export interface ActivateJobsParams {
  ids: stringArray;
  organizationId: string;
}

export interface ActivateJobsResult {
  job_id: string;
  now: string;
  old: live_state;
  organization_id: string;
  queue_name: string;
}

export interface TakeLiveJobsParams {
  createdUntil: string;
  filter: string;
  limit: number;
  organizationId: string;
}

export interface TakeLiveJobsResult {
  job_id: string;
}

export const hasMoreLiveJobs = new PreparedQuery<HasMoreLiveJobsParams, HasMoreLiveJobsResult>(sql, 'hasMoreLiveJobs');
export const activateJobs = new PreparedQuery<ActivateJobsParams, ActivateJobsResult>(sql, 'activateJobs');
export const takeLiveJobs = new PreparedQuery<TakeLiveJobsParams, TakeLiveJobsResult>(sql, 'takeLiveJobs');
