// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './deletions.sql';

export type stringArray = (string)[];

export interface DeleteLiveJobsOfQueueParams {
  deletedUntil: string;
  limit: number;
  organizationId: string;
  queueName: string;
}

export interface DeleteLiveJobsOfQueueResult {
  job_id: string;
  lease_id: string | null;
}

export interface DeleteDeadLettersOfQueueParams {
  deletedUntil: string;
  limit: number;
  organizationId: string;
  queueName: string;
}

export interface DeleteDeadLettersOfQueueResult {
  job_id: string;
}

export interface OpenQueueParams {
  deletedUntil: string;
  organizationId: string;
  queueName: string;
}

export type OpenQueueResult = void;

export interface DeleteRecordsOfQueueParams {
  afterId: string;
  afterTime: string;
  deletedUntil: string;
  limit: number;
  organizationId: string;
  queueName: string;
  rememberedSeconds: number;
}

export interface DeleteRecordsOfQueueResult {
  deleted: number;
  last_id: string | null;
  last_time: string | null;
  member_ids: stringArray;
  seen: number;
  workflow_ids: stringArray;
}

export interface EndQueueDeletionParams {
  deletedUntil: string;
  organizationId: string;
  queueName: string;
}

export type EndQueueDeletionResult = void;

export interface EraseOrganizationParams {
  limit: number;
  organizationId: string;
}

export interface EraseOrganizationResult {
  deleted: number;
}

export const deleteLiveJobsOfQueue = new PreparedQuery<DeleteLiveJobsOfQueueParams, DeleteLiveJobsOfQueueResult>(sql, 'deleteLiveJobsOfQueue');
export const deleteDeadLettersOfQueue = new PreparedQuery<DeleteDeadLettersOfQueueParams, DeleteDeadLettersOfQueueResult>(sql, 'deleteDeadLettersOfQueue');
export const openQueue = new PreparedQuery<OpenQueueParams, OpenQueueResult>(sql, 'openQueue');
export const deleteRecordsOfQueue = new PreparedQuery<DeleteRecordsOfQueueParams, DeleteRecordsOfQueueResult>(sql, 'deleteRecordsOfQueue');
export const endQueueDeletion = new PreparedQuery<EndQueueDeletionParams, EndQueueDeletionResult>(sql, 'endQueueDeletion');
export const eraseOrganization = new PreparedQuery<EraseOrganizationParams, EraseOrganizationResult>(sql, 'eraseOrganization');
