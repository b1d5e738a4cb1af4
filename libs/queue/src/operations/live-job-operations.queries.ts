// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './live-job-operations.sql';

export type live_state = 'leased' | 'ready' | 'retrying' | 'scheduled';

export type stringArray = (string)[];

export interface FindMoreLiveJobsParams {
  createdUntil: string;
  filter: string;
  looked: number;
  operationId: string;
  organizationId: string;
  scope: stringArray;
}

export interface FindMoreLiveJobsResult {
  ahead: boolean;
  beyond: unknown | null;
}

export interface ActivateJobsParams {
  ids: stringArray;
  organizationId: string;
}

export interface ActivateJobsResult {
  job_id: string;
  now: string;
  old: live_state;
  organization_id: string;
  queue_name: string;
}

export type KeepOrderOfIndexesParams = void;

export interface KeepOrderOfIndexesResult {
  bitmapscan: string;
}

export interface TakeLiveJobsParams {
  createdUntil: string;
  filter: string;
  limit: number;
  looked: number;
  operationId: string;
  organizationId: string;
  scope: stringArray;
}

export interface TakeLiveJobsResult {
  job_id: string;
  place: unknown;
}

export interface ReadTargetQueueParams {
  organizationId: string;
  queueName: string;
}

export interface ReadTargetQueueResult {
  has_contract: boolean;
  is_deleted: boolean;
}

export interface RequireQueueInPlanParams {
  maxQueues: number;
  organizationId: string;
  queueName: string;
}

export interface RequireQueueInPlanResult {
  done: undefined | null;
}

export interface AddTargetQueueParams {
  organizationId: string;
  queueName: string;
}

export type AddTargetQueueResult = void;

export interface FindJobsWithoutReceiverParams {
  ids: stringArray;
  organizationId: string;
  queueName: string;
}

export interface FindJobsWithoutReceiverResult {
  id: string;
  pushed: boolean;
}

export interface MoveJobsParams {
  ids: stringArray;
  organizationId: string;
  queueName: string;
}

export interface MoveJobsResult {
  job_id: string;
}

export interface DeleteCancelledJobsParams {
  ids: stringArray;
  organizationId: string;
  rememberedSeconds: number;
}

export interface DeleteCancelledJobsResult {
  id: string;
  workflow_id: string | null;
}

export const findMoreLiveJobs = new PreparedQuery<FindMoreLiveJobsParams, FindMoreLiveJobsResult>(sql, 'findMoreLiveJobs');
export const activateJobs = new PreparedQuery<ActivateJobsParams, ActivateJobsResult>(sql, 'activateJobs');
export const keepOrderOfIndexes = new PreparedQuery<KeepOrderOfIndexesParams, KeepOrderOfIndexesResult>(sql, 'keepOrderOfIndexes');
export const takeLiveJobs = new PreparedQuery<TakeLiveJobsParams, TakeLiveJobsResult>(sql, 'takeLiveJobs');
export const readTargetQueue = new PreparedQuery<ReadTargetQueueParams, ReadTargetQueueResult>(sql, 'readTargetQueue');
export const requireQueueInPlan = new PreparedQuery<RequireQueueInPlanParams, RequireQueueInPlanResult>(sql, 'requireQueueInPlan');
export const addTargetQueue = new PreparedQuery<AddTargetQueueParams, AddTargetQueueResult>(sql, 'addTargetQueue');
export const findJobsWithoutReceiver = new PreparedQuery<FindJobsWithoutReceiverParams, FindJobsWithoutReceiverResult>(sql, 'findJobsWithoutReceiver');
export const moveJobs = new PreparedQuery<MoveJobsParams, MoveJobsResult>(sql, 'moveJobs');
export const deleteCancelledJobs = new PreparedQuery<DeleteCancelledJobsParams, DeleteCancelledJobsResult>(sql, 'deleteCancelledJobs');
