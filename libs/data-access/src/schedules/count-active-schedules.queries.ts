// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './count-active-schedules.sql';

export interface LockActiveSchedulesParams {
  organizationId: string;
}

export interface LockActiveSchedulesResult {
  done: undefined | null;
}

export interface CountActiveSchedulesParams {
  organizationId: string;
}

export interface CountActiveSchedulesResult {
  active: number;
}

export const lockActiveSchedules = new PreparedQuery<LockActiveSchedulesParams, LockActiveSchedulesResult>(sql, 'lockActiveSchedules');
export const countActiveSchedules = new PreparedQuery<CountActiveSchedulesParams, CountActiveSchedulesResult>(sql, 'countActiveSchedules');
