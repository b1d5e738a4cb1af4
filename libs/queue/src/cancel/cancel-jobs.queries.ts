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

export interface RequestCancellationParams {
  grace?: number | null | void;
  ids: stringArray;
  organizationId: string;
  reason?: string | null | void;
}

export interface RequestCancellationResult {
  is_new: boolean;
  job_id: string;
  lease_id: string | null;
  queue_name: string;
  renewed: boolean;
  requested_at: string | null;
  worker_id: string | null;
}

export interface CancelAttemptsParams {
  batch: string;
}

export interface CancelAttemptsResult {
  answer: unknown;
}

export const cancelJobs = new PreparedQuery<CancelJobsParams, CancelJobsResult>(sql, 'cancelJobs');
export const findStatusOfJob = new PreparedQuery<FindStatusOfJobParams, FindStatusOfJobResult>(sql, 'findStatusOfJob');
export const requestCancellation = new PreparedQuery<RequestCancellationParams, RequestCancellationResult>(sql, 'requestCancellation');
export const cancelAttempts = new PreparedQuery<CancelAttemptsParams, CancelAttemptsResult>(sql, 'cancelAttempts');
