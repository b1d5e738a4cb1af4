// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './batches.sql';

export type stringArray = (string)[];

export interface CreateBatchParams {
  callbackNames: stringArray;
  callbackQueues: stringArray;
  callbacks: string;
  id: string;
  metadata?: string | null | void;
  name?: string | null | void;
  organizationId: string;
  queueNames: stringArray;
}

export interface CreateBatchResult {
  id: string;
}

export interface LockOpenBatchesParams {
  organizationId: string;
}

export interface LockOpenBatchesResult {
  locked: string | null;
}

export interface CountOpenBatchesParams {
  organizationId: string;
}

export interface CountOpenBatchesResult {
  open: number;
}

export interface AddCallbackQueuesParams {
  callbacks: number;
  organizationId: string;
  queueNames: stringArray;
  quota: string;
}

export type AddCallbackQueuesResult = void;

export interface FindBatchParams {
  id: string;
  organizationId: string;
}

export interface FindBatchResult {
  id: string;
  queue_names: stringArray;
  status: string;
  total_jobs: number;
}

export interface HoldCallbackQueuesParams {
  id: string;
  organizationId: string;
}

export interface HoldCallbackQueuesResult {
  held: string | null;
}

export interface ShareBatchLockParams {
  alone: boolean;
  id: string;
}

export interface ShareBatchLockResult {
  locked: string | null;
}

export interface JoinBatchParams {
  id: string;
  jobIds: stringArray;
  maxJobs: number;
  organizationId: string;
  queueNames: stringArray;
}

export interface JoinBatchResult {
  id: string;
}

export interface CloseBatchParams {
  id: string;
  organizationId: string;
  status: string;
}

export type CloseBatchResult = void;

export interface CancelJobsOfBatchParams {
  id: string;
  organizationId: string;
  queues: stringArray;
}

export type CancelJobsOfBatchResult = void;

export const createBatch = new PreparedQuery<CreateBatchParams, CreateBatchResult>(sql, 'createBatch');
export const lockOpenBatches = new PreparedQuery<LockOpenBatchesParams, LockOpenBatchesResult>(sql, 'lockOpenBatches');
export const countOpenBatches = new PreparedQuery<CountOpenBatchesParams, CountOpenBatchesResult>(sql, 'countOpenBatches');
export const addCallbackQueues = new PreparedQuery<AddCallbackQueuesParams, AddCallbackQueuesResult>(sql, 'addCallbackQueues');
export const findBatch = new PreparedQuery<FindBatchParams, FindBatchResult>(sql, 'findBatch');
export const holdCallbackQueues = new PreparedQuery<HoldCallbackQueuesParams, HoldCallbackQueuesResult>(sql, 'holdCallbackQueues');
export const shareBatchLock = new PreparedQuery<ShareBatchLockParams, ShareBatchLockResult>(sql, 'shareBatchLock');
export const joinBatch = new PreparedQuery<JoinBatchParams, JoinBatchResult>(sql, 'joinBatch');
export const closeBatch = new PreparedQuery<CloseBatchParams, CloseBatchResult>(sql, 'closeBatch');
export const cancelJobsOfBatch = new PreparedQuery<CancelJobsOfBatchParams, CancelJobsOfBatchResult>(sql, 'cancelJobsOfBatch');
