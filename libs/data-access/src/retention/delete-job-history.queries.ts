// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './delete-job-history.sql';

export type numberArray = (number)[];

export type stringArray = (string)[];

export interface DeleteJobHistoryParams {
  days: numberArray;
  limit: number;
  organizationIds: stringArray;
}

export interface DeleteJobHistoryResult {
  deleted: number;
}

export const deleteJobHistory = new PreparedQuery<DeleteJobHistoryParams, DeleteJobHistoryResult>(sql, 'deleteJobHistory');
