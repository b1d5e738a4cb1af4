// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-running.sql';

export type stringArray = (string)[];

export interface FindRunningParams {
  limit: number;
  organizationId: string;
  queues?: stringArray | null | void;
  scanned: number;
  workers?: stringArray | null | void;
}

export interface FindRunningResult {
  id: string;
  running: number;
}

export interface ListRunningParams {
  ids: stringArray;
  organizationId: string;
}

export interface ListRunningResult {
  hostname: string | null;
  id: string;
  job_type: string | null;
  lease_expires_at: string | null;
  lease_id: string | null;
  max_retries: number;
  now: string;
  priority: number;
  progress: number | null;
  progress_at: string | null;
  progress_message: string | null;
  queue_name: string;
  retry_count: number;
  started_at: string | null;
  timeout_seconds: number | null;
  worker_id: string | null;
}

export const findRunning = new PreparedQuery<FindRunningParams, FindRunningResult>(sql, 'findRunning');
export const listRunning = new PreparedQuery<ListRunningParams, ListRunningResult>(sql, 'listRunning');
