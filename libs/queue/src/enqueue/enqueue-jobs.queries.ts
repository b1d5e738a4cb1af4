// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './enqueue-jobs.sql';

export interface EnqueueJobsParams {
  heads: string;
  lists: string;
  maxRetries: number;
  timeoutSeconds: number;
}

export interface EnqueueJobsResult {
  answer: unknown;
}

export const enqueueJobs = new PreparedQuery<EnqueueJobsParams, EnqueueJobsResult>(sql, 'enqueueJobs');
