// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-workers.sql';

export type stringArray = (string)[];

export interface ListWorkersParams {
  afterId?: string | null | void;
  byId: boolean;
  limit: number;
  offset: number;
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface ListWorkersResult {
  current_jobs: number;
  hostname: string;
  id: string;
  jobs_failed: number;
  jobs_processed: number;
  last_heartbeat: string;
  max_concurrency: number;
  queue_name: string;
  status: string;
}

export const listWorkers = new PreparedQuery<ListWorkersParams, ListWorkersResult>(sql, 'listWorkers');
