// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-job-history.sql';

export type stringArray = (string)[];

export interface ListJobHistoryParams {
  ascending: boolean;
  id: string;
  limit: number;
  offset: number;
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface ListJobHistoryResult {
  actor: string | null;
  at: string | null;
  attempt: number | null;
  details: string | null;
  error: string | null;
  event: string | null;
  id: string | null;
  lease_id: string | null;
  total: number;
  worker_id: string | null;
}

export const listJobHistory = new PreparedQuery<ListJobHistoryParams, ListJobHistoryResult>(sql, 'listJobHistory');
