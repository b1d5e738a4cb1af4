// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './requeue-jobs.sql';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type job_statusArray = (job_status)[];

export type stringArray = (string)[];

export interface RequeueJobsParams {
  ids: stringArray;
  organizationId: string;
  outcomes: job_statusArray;
  quota?: string | null | void;
}

export interface RequeueJobsResult {
  answer: unknown;
}

export const requeueJobs = new PreparedQuery<RequeueJobsParams, RequeueJobsResult>(sql, 'requeueJobs');
