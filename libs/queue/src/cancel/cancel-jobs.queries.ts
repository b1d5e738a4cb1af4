// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './cancel-jobs.sql';

export type stringArray = (string)[];

export interface CancelJobsParams {
  ids: stringArray;
  organizationId: string;
  reason?: string | null | void;
}

export interface CancelJobsResult {
  answer: unknown;
}

export interface FindStatusOfJobParams {
  id: string;
  organizationId: string;
}

export interface FindStatusOfJobResult {
  queue_name: string;
  status: string;
}

export const cancelJobs = new PreparedQuery<CancelJobsParams, CancelJobsResult>(sql, 'cancelJobs');
export const findStatusOfJob = new PreparedQuery<FindStatusOfJobParams, FindStatusOfJobResult>(sql, 'findStatusOfJob');
