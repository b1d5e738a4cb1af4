// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-worker.sql';

export type stringArray = (string)[];

export interface FindWorkerParams {
  id: string;
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface FindWorkerResult {
  current_jobs: number;
  drain_requested_at: string | null;
  hostname: string;
  id: string;
  jobs_failed: number;
  jobs_processed: number;
  last_heartbeat: string;
  max_concurrency: number;
  metadata: string;
  organization_id: string;
  queue_name: string;
  registered_at: string;
  status: string;
  updated_at: string;
  version: string | null;
  worker_type: string | null;
}

export const findWorker = new PreparedQuery<FindWorkerParams, FindWorkerResult>(sql, 'findWorker');
