// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './delete-queue.sql';

export type stringArray = (string)[];

export interface LockJobsOfQueueParams {
  createdUntil?: string | null | void;
  organizationId: string;
  queueName: string;
}

export interface LockJobsOfQueueResult {
  locked: number;
}

export interface LockDeletionParams {
  organizationId: string;
  queueName: string;
}

export interface LockDeletionResult {
  locked: string | null;
}

export interface TryLockQueueParams {
  organizationId: string;
  queueName: string;
}

export interface TryLockQueueResult {
  locked: boolean;
}

export interface DeleteQueueNameParams {
  deleteCounters: boolean;
  hiddenUntil?: string | null | void;
  organizationId: string;
  queueName: string;
}

export type DeleteQueueNameResult = void;

export interface DeleteQueueParams {
  createdUntil?: string | null | void;
  deleteJobs: boolean;
  organizationId: string;
  queueName: string;
  rememberedSeconds: number;
}

export interface DeleteQueueResult {
  deleted: number;
  lease_ids: stringArray;
  leased_job_ids: stringArray;
  member_ids: stringArray;
  workflow_ids: stringArray;
}

export interface IsLargeHistoryParams {
  largest: number;
  organizationId: string;
}

export interface IsLargeHistoryResult {
  large: boolean;
}

export interface HideQueueParams {
  createdUntil: string;
  organizationId: string;
  queueName: string;
}

export type HideQueueResult = void;

export interface BeginQueueDeletionParams {
  createdUntil: string;
  organizationId: string;
  progress: string;
  queueName: string;
}

export type BeginQueueDeletionResult = void;

export const lockJobsOfQueue = new PreparedQuery<LockJobsOfQueueParams, LockJobsOfQueueResult>(sql, 'lockJobsOfQueue');
export const lockDeletion = new PreparedQuery<LockDeletionParams, LockDeletionResult>(sql, 'lockDeletion');
export const tryLockQueue = new PreparedQuery<TryLockQueueParams, TryLockQueueResult>(sql, 'tryLockQueue');
export const deleteQueueName = new PreparedQuery<DeleteQueueNameParams, DeleteQueueNameResult>(sql, 'deleteQueueName');
export const deleteQueue = new PreparedQuery<DeleteQueueParams, DeleteQueueResult>(sql, 'deleteQueue');
export const isLargeHistory = new PreparedQuery<IsLargeHistoryParams, IsLargeHistoryResult>(sql, 'isLargeHistory');
export const hideQueue = new PreparedQuery<HideQueueParams, HideQueueResult>(sql, 'hideQueue');
export const beginQueueDeletion = new PreparedQuery<BeginQueueDeletionParams, BeginQueueDeletionResult>(sql, 'beginQueueDeletion');
