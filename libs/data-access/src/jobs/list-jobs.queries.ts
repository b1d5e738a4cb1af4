// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-jobs.sql';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type stringArray = (string)[];

export interface ListJobsParams {
  ids: stringArray;
  organizationId: string;
}

export interface ListJobsResult {
  attempt: number;
  completed_at: string | null;
  created_at: string;
  id: string;
  job_type: string;
  last_error: string | null;
  max_retries: number;
  priority: number;
  queue_name: string;
  retry_count: number;
  scheduled_at: string | null;
  started_at: string | null;
  status: job_status;
}

export interface SortJobsParams {
  afterId?: string | null | void;
  afterKey?: number | null | void;
  ascending: boolean;
  ids: stringArray;
  limit: number;
  offset: number;
  orderBy: string;
  organizationId: string;
}

export interface SortJobsResult {
  id: string;
  key: number;
}

export const listJobs = new PreparedQuery<ListJobsParams, ListJobsResult>(sql, 'listJobs');
export const sortJobs = new PreparedQuery<SortJobsParams, SortJobsResult>(sql, 'sortJobs');
