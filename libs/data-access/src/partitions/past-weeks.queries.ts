// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './past-weeks.sql';

export interface PastWeeksParams {
  days: number;
  table: string;
}

export interface PastWeeksResult {
  week: string;
}

export const pastWeeks = new PreparedQuery<PastWeeksParams, PastWeeksResult>(sql, 'pastWeeks');
