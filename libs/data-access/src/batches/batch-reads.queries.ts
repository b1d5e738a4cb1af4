// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './batch-reads.sql';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type stringArray = (string)[];

export interface ListBatchesParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  id?: string | null | void;
  limit: number;
  offset: number;
  organizationId: string;
  queues?: stringArray | null | void;
  rows: number;
  statuses?: stringArray | null | void;
}

export interface ListBatchesResult {
  callback_names: stringArray;
  cancelled_jobs: number;
  closed_at: string | null;
  complete_job_id: string | null;
  completed_at: string | null;
  created_at: string;
  death_job_id: string | null;
  failed_jobs: number;
  id: string;
  metadata: string | null;
  name: string | null;
  queue_names: stringArray;
  running_jobs: number;
  status: string;
  succeeded_jobs: number;
  success_job_id: string | null;
  total_jobs: number;
}

export interface FindBatchesEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  organizationId: string;
  rows: number;
}

export interface FindBatchesEndResult {
  at: string;
  id: string;
}

export interface ListBatchJobsParams {
  after?: string | null | void;
  batchId: string;
  limit: number;
  maxBytes: number;
  offset: number;
  organizationId: string;
  outcomes: stringArray;
  unfinished: boolean;
}

export interface ListBatchJobsResult {
  attempt: number;
  completed_at: string | null;
  created_at: string;
  documents_omitted: boolean;
  error: string | null;
  id: string;
  job_type: string;
  queue_name: string;
  result: string | null;
  started_at: string | null;
  status: job_status;
}

export const listBatches = new PreparedQuery<ListBatchesParams, ListBatchesResult>(sql, 'listBatches');
export const findBatchesEnd = new PreparedQuery<FindBatchesEndParams, FindBatchesEndResult>(sql, 'findBatchesEnd');
export const listBatchJobs = new PreparedQuery<ListBatchJobsParams, ListBatchJobsResult>(sql, 'listBatchJobs');
