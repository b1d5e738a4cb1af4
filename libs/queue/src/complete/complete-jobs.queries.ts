// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './complete-jobs.sql';

export type booleanArray = (boolean)[];

export type numberArray = (number)[];

export type stringArray = (string)[];

export interface CompleteJobsParams {
  counts: numberArray;
  ids: stringArray;
  leases: stringArray;
  numbers: numberArray;
  organizations: stringArray;
  renewed?: booleanArray | null | void;
  results?: string | null | void;
  scopes?: stringArray | null | void;
  workers: stringArray;
}

export interface CompleteJobsResult {
  answer: string;
}

export const completeJobs = new PreparedQuery<CompleteJobsParams, CompleteJobsResult>(sql, 'completeJobs');
