// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './count-jobs-ahead.sql';

export interface CountJobsAheadParams {
  id: string;
  most: number;
  organizationId: string;
}

export interface CountJobsAheadResult {
  ahead: number;
}

export const countJobsAhead = new PreparedQuery<CountJobsAheadParams, CountJobsAheadResult>(sql, 'countJobsAhead');
