// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-job-to-explain.sql';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type live_state = 'leased' | 'ready' | 'retrying' | 'scheduled';

export type stringArray = (string)[];

export interface FindJobToExplainParams {
  id: string;
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface FindJobToExplainResult {
  callback_url: string | null;
  cancel_reason: string | null;
  cancel_requested_at: string | null;
  cancel_requested_by: string | null;
  checked_at: string;
  completed_at: string | null;
  created_at: string;
  dependencies_met: boolean;
  dependency_mode: string | null;
  due_at: string | null;
  expires_at: string | null;
  id: string;
  is_expired: boolean | null;
  is_waiting: boolean | null;
  last_error: string | null;
  lease_expires_at: string | null;
  lease_id: string | null;
  max_retries: number;
  outcome: job_status | null;
  queue_name: string;
  retry_count: number;
  started_at: string | null;
  state: live_state | null;
  step: string | null;
  step_kind: string | null;
  step_since: string | null;
  timeout_seconds: number;
  updated_at: string;
  worker_id: string | null;
}

export const findJobToExplain = new PreparedQuery<FindJobToExplainParams, FindJobToExplainResult>(sql, 'findJobToExplain');
