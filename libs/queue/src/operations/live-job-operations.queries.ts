// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './live-job-operations.sql';

export interface HasMoreLiveJobsParams {
  createdUntil: string;
  filter: string;
  organizationId: string;
}

export interface HasMoreLiveJobsResult {
  more: boolean;
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
export const takeLiveJobs = new PreparedQuery<TakeLiveJobsParams, TakeLiveJobsResult>(sql, 'takeLiveJobs');
