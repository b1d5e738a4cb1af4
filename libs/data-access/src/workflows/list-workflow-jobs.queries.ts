// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-workflow-jobs.sql';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type stringArray = (string)[];

export interface ListWorkflowJobsParams {
  after?: string | null | void;
  jobId?: string | null | void;
  limit?: number | null | void;
  maxBytes: number;
  offset: number;
  organizationId: string;
  workflowId: string;
}

export interface ListWorkflowJobsResult {
  completed_at: string | null;
  created_at: string;
  dependency_mode: string;
  depends_on: stringArray;
  documents_omitted: boolean;
  id: string;
  job_type: string;
  key: string;
  last_error: string | null;
  max_retries: number;
  organization_id: string;
  parent_job_id: string | null;
  payload: string | null;
  priority: number;
  queue_name: string;
  result: string | null;
  retry_count: number;
  scheduled_at: string | null;
  started_at: string | null;
  status: job_status;
  tags: string | null;
  timeout_seconds: number;
  updated_at: string;
}

export const listWorkflowJobs = new PreparedQuery<ListWorkflowJobsParams, ListWorkflowJobsResult>(sql, 'listWorkflowJobs');
