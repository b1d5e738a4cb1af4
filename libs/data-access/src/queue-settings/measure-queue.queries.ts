// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './measure-queue.sql';

export interface MeasureQueueParams {
  organizationId: string;
  queueName: string;
}

export interface MeasureQueueResult {
  active_workers: number;
  avg_processing_time_ms: number | null;
  completed_jobs_24h: number;
  covered_seconds_24h: number;
  failed_jobs_24h: number;
  max_job_age_seconds: number | null;
  pending_jobs: number;
  processing_jobs: number;
  queue_name: string;
}

export const measureQueue = new PreparedQuery<MeasureQueueParams, MeasureQueueResult>(sql, 'measureQueue');
