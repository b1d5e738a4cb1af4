// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './delete-schedule-runs.sql';

export type numberArray = (number)[];

export type stringArray = (string)[];

export interface DeleteScheduleRunsParams {
  days: numberArray;
  limit: number;
  organizationIds: stringArray;
}

export interface DeleteScheduleRunsResult {
  deleted: number;
}

export const deleteScheduleRuns = new PreparedQuery<DeleteScheduleRunsParams, DeleteScheduleRunsResult>(sql, 'deleteScheduleRuns');
