// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-job-steps.sql';

export type stringArray = (string)[];

export interface ListJobStepsParams {
  id: string;
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface ListJobStepsResult {
  created_at: string;
  deadline: string | null;
  finished_at: string | null;
  is_done: boolean;
  kind: string;
  name: string;
  result: string | null;
}

export const listJobSteps = new PreparedQuery<ListJobStepsParams, ListJobStepsResult>(sql, 'listJobSteps');
