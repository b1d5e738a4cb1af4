// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './count-live-jobs.sql';

export interface CountLiveJobsParams {
  organizationId: string;
  queueName: string;
}

export interface CountLiveJobsResult {
  live: number;
}

export const countLiveJobs = new PreparedQuery<CountLiveJobsParams, CountLiveJobsResult>(sql, 'countLiveJobs');
