// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './delete-runs-of-schedule.sql';

export interface DeleteRunsOfScheduleParams {
  limit: number;
  organizationId: string;
  scheduleId: string;
}

export interface DeleteRunsOfScheduleResult {
  deleted: number;
}

export const deleteRunsOfSchedule = new PreparedQuery<DeleteRunsOfScheduleParams, DeleteRunsOfScheduleResult>(sql, 'deleteRunsOfSchedule');
