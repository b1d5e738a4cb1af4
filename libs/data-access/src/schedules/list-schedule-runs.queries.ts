// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-schedule-runs.sql';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export interface ListScheduleRunsParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  limit: number;
  offset: number;
  organizationId: string;
  scheduleId: string;
}

export interface ListScheduleRunsResult {
  completed_at: string | null;
  error_message: string | null;
  id: string;
  job_id: string | null;
  job_status: job_status | null;
  schedule_id: string;
  source: string;
  started_at: string;
  status: string;
}

export const listScheduleRuns = new PreparedQuery<ListScheduleRunsParams, ListScheduleRunsResult>(sql, 'listScheduleRuns');
