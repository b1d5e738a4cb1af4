// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './take-due-schedules.sql';

export interface TakeDueSchedulesParams {
  schedules: string;
}

export interface TakeDueSchedulesResult {
  id: string;
}

export const takeDueSchedules = new PreparedQuery<TakeDueSchedulesParams, TakeDueSchedulesResult>(sql, 'takeDueSchedules');
/** A record of `schedules`, as take-due-schedules.sql reads it. */
export interface TakeDueSchedulesRecord {
  id: string | null | undefined;
  due: string | null | undefined;
  changed: string | null | undefined;
  next: string | null | undefined;
}
