// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-job-for-timeline.sql';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type stringArray = (string)[];

export interface FindJobForTimelineParams {
  id: string;
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface FindJobForTimelineResult {
  batch_id: string | null;
  completed_at: string | null;
  created_at: string;
  created_by: string | null;
  dependencies_met: boolean | null;
  expires_at: string | null;
  id: string;
  job_type: string;
  last_error: string | null;
  max_retries: number;
  now: string;
  parent_job_id: string | null;
  priority: number;
  queue_name: string;
  retry_count: number;
  scheduled_at: string | null;
  started_at: string | null;
  status: job_status;
  traceparent: string | null;
  workflow_id: string | null;
}

export const findJobForTimeline = new PreparedQuery<FindJobForTimelineParams, FindJobForTimelineResult>(sql, 'findJobForTimeline');
