// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './read-usage.sql';

export type ReadUsageParams = void;

export interface ReadUsageResult {
  active_jobs: number;
  api_keys: number;
  jobs_today: number;
  open_batches: number;
  queues: number;
  schedules: number;
  webhooks: number;
  workers: number;
  workflows: number;
}

export const readUsage = new PreparedQuery<ReadUsageParams, ReadUsageResult>(sql, 'readUsage');
