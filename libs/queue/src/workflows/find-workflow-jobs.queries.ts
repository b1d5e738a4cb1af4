// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './find-workflow-jobs.sql';

export type stringArray = (string)[];

export interface LockWorkflowParams {
  id: string;
}

export interface LockWorkflowResult {
  locked: string | null;
}

export interface FindWorkflowJobsParams {
  id: string;
  organizationId: string;
}

export interface FindWorkflowJobsResult {
  job_ids: stringArray;
  queue_names: stringArray;
  status: string;
}

export const lockWorkflow = new PreparedQuery<LockWorkflowParams, LockWorkflowResult>(sql, 'lockWorkflow');
export const findWorkflowJobs = new PreparedQuery<FindWorkflowJobsParams, FindWorkflowJobsResult>(sql, 'findWorkflowJobs');
