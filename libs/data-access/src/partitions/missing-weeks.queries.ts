// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './missing-weeks.sql';

export interface MissingWeeksParams {
  table: string;
  weeksAhead: number;
}

export interface MissingWeeksResult {
  week: string;
}

export const missingWeeks = new PreparedQuery<MissingWeeksParams, MissingWeeksResult>(sql, 'missingWeeks');
