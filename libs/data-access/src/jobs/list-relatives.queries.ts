// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-relatives.sql';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type stringArray = (string)[];

export interface ListRelativesParams {
  id: string;
  limit: number;
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface ListRelativesResult {
  direction: string;
  job_id: string;
  queue_name: string;
  status: job_status;
  total: number;
}

export const listRelatives = new PreparedQuery<ListRelativesParams, ListRelativesResult>(sql, 'listRelatives');
