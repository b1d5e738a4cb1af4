// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './deactivate-schedule.sql';

export interface DeactivateScheduleParams {
  id: string;
  organizationId: string;
}

export type DeactivateScheduleResult = void;

export const deactivateSchedule = new PreparedQuery<DeactivateScheduleParams, DeactivateScheduleResult>(sql, 'deactivateSchedule');
