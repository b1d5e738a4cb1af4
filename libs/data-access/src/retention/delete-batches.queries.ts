// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './delete-batches.sql';

export type numberArray = (number)[];

export type stringArray = (string)[];

export interface DeleteBatchJobsParams {
  days: numberArray;
  limit: number;
  organizationIds: stringArray;
}

export interface DeleteBatchJobsResult {
  deleted: number;
}

export interface DeleteBatchesParams {
  days: numberArray;
  limit: number;
  organizationIds: stringArray;
}

export interface DeleteBatchesResult {
  deleted: number;
}

export const deleteBatchJobs = new PreparedQuery<DeleteBatchJobsParams, DeleteBatchJobsResult>(sql, 'deleteBatchJobs');
export const deleteBatches = new PreparedQuery<DeleteBatchesParams, DeleteBatchesResult>(sql, 'deleteBatches');
