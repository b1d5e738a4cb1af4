// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './read-queue-state.sql';

export interface ReadQueueStateParams {
  defaultTimeout: number;
  most: number;
  organizationId: string;
  queueName: string;
}

export interface ReadQueueStateResult {
  blocked: number;
  checked_at: string;
  concurrency: number | null;
  degraded: number;
  deleted_until: string | null;
  draining: number;
  due: number;
  enabled: boolean;
  healthy: number;
  is_known: boolean;
  is_push: boolean;
  last_heartbeat: string | null;
  last_started_at: string | null;
  next_at: string | null;
  offline: number;
  oldest_seconds: number | null;
  pause_expires_at: string | null;
  paused_at: string | null;
  paused_by: string | null;
  paused_reason: string | null;
  rate_limit: number | null;
  ready: number;
  retrying: number;
  running: number;
  scheduled: number;
  timeout_seconds: number;
  unexpired: number;
  waiting_seconds: number | null;
}

export const readQueueState = new PreparedQuery<ReadQueueStateParams, ReadQueueStateResult>(sql, 'readQueueState');
