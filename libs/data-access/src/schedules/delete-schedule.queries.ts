// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './delete-schedule.sql';

export interface DeleteScheduleParams {
  id: string;
  organizationId: string;
}

export type DeleteScheduleResult = void;

export const deleteSchedule = new PreparedQuery<DeleteScheduleParams, DeleteScheduleResult>(sql, 'deleteSchedule');
