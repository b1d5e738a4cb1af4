// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './count-active-jobs.sql';

export type stringArray = (string)[];

export interface CountActiveJobsParams {
  organizationId: string;
  queues: stringArray;
}

export interface CountActiveJobsResult {
  active: number;
}

export const countActiveJobs = new PreparedQuery<CountActiveJobsParams, CountActiveJobsResult>(sql, 'countActiveJobs');
