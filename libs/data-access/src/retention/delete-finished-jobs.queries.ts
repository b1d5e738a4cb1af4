// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './delete-finished-jobs.sql';

export type numberArray = (number)[];

export type stringArray = (string)[];

export interface DeleteFinishedJobsParams {
  days: numberArray;
  limit: number;
  lookBackSeconds?: number | null | void;
  organizationIds: stringArray;
}

export interface DeleteFinishedJobsResult {
  deleted: number;
}

export const deleteFinishedJobs = new PreparedQuery<DeleteFinishedJobsParams, DeleteFinishedJobsResult>(sql, 'deleteFinishedJobs');
