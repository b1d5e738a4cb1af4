// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-jobs-in-hand.sql';

export type stringArray = (string)[];

export interface ListJobsInHandParams {
  id: string;
  limit: number;
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface ListJobsInHandResult {
  id: string | null;
  job_type: string | null;
  lease_expires_at: string | null;
  lease_id: string | null;
  max_retries: number | null;
  now: string;
  priority: number | null;
  progress: number | null;
  progress_at: string | null;
  progress_message: string | null;
  queue_name: string | null;
  retry_count: number | null;
  started_at: string | null;
  timeout_seconds: number | null;
}

export const listJobsInHand = new PreparedQuery<ListJobsInHandParams, ListJobsInHandResult>(sql, 'listJobsInHand');
