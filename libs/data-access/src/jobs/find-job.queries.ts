// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-job.sql';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type stringArray = (string)[];

export interface FindJobParams {
  id: string;
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface FindJobResult {
  assigned_worker_id: string | null;
  batch_id: string | null;
  cancel_requested_at: string | null;
  completed_at: string | null;
  completion_webhook: string | null;
  created_at: string;
  dependencies_met: boolean | null;
  dependency_mode: string | null;
  expires_at: string | null;
  id: string;
  idempotency_key: string | null;
  last_error: string | null;
  lease_expires_at: string | null;
  lease_id: string | null;
  max_retries: number;
  organization_id: string;
  parent_job_id: string | null;
  payload: string;
  priority: number;
  progress: number | null;
  progress_at: string | null;
  progress_message: string | null;
  queue_name: string;
  result: string | null;
  retry_count: number;
  scheduled_at: string | null;
  settings: unknown | null;
  started_at: string | null;
  status: job_status;
  tags: string | null;
  timeout_seconds: number;
  updated_at: string;
  workflow_id: string | null;
}

export const findJob = new PreparedQuery<FindJobParams, FindJobResult>(sql, 'findJob');
