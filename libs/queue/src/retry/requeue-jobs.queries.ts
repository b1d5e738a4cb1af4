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

export interface LockDeadLettersParams {
  ids: stringArray;
  organizationId: string;
}

export interface LockDeadLettersResult {
  job_id: string;
}

export interface LockRequeuesParams {
  organizationId: string;
}

export interface LockRequeuesResult {
  locked: string | null;
}

export const requeueJobs = new PreparedQuery<RequeueJobsParams, RequeueJobsResult>(sql, 'requeueJobs');
export const lockDeadLetters = new PreparedQuery<LockDeadLettersParams, LockDeadLettersResult>(sql, 'lockDeadLetters');
export const lockRequeues = new PreparedQuery<LockRequeuesParams, LockRequeuesResult>(sql, 'lockRequeues');
