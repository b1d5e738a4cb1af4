// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-job-status.sql';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export interface FindJobStatusParams {
  id: string;
}

export interface FindJobStatusResult {
  status: job_status;
}

export const findJobStatus = new PreparedQuery<FindJobStatusParams, FindJobStatusResult>(sql, 'findJobStatus');
