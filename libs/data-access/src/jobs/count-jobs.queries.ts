// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './count-jobs.sql';

export type stringArray = (string)[];

export interface CountJobsParams {
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface CountJobsResult {
  cancelled: number;
  completed: number;
  deadletter: number;
  failed: number;
  pending: number;
  processing: number;
  scheduled: number;
}

export const countJobs = new PreparedQuery<CountJobsParams, CountJobsResult>(sql, 'countJobs');
