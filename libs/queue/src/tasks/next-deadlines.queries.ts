// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './next-deadlines.sql';

export type NextDeadlinesParams = void;

export interface NextDeadlinesResult {
  job: number | null;
  operation: number | null;
  pause_expiry: number | null;
  schedule: number | null;
}

export const nextDeadlines = new PreparedQuery<NextDeadlinesParams, NextDeadlinesResult>(sql, 'nextDeadlines');
