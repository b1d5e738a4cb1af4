// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-job-statuses.sql';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type stringArray = (string)[];

export interface FindJobStatusesParams {
  ids: stringArray;
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface FindJobStatusesResult {
  attempt: number;
  completed_at: string | null;
  created_at: string;
  id: string;
  max_retries: number;
  queue_name: string;
  retry_count: number;
  status: job_status;
}

export const findJobStatuses = new PreparedQuery<FindJobStatusesParams, FindJobStatusesResult>(sql, 'findJobStatuses');
