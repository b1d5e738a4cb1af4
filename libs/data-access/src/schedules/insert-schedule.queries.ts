// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './insert-schedule.sql';

export interface InsertScheduleParams {
  cron_expression: string;
  description?: string | null | void;
  id: string;
  is_active: boolean;
  max_retries: number;
  metadata?: string | null | void;
  name: string;
  next_run_at?: string | null | void;
  organizationId: string;
  payload_template: string;
  priority: number;
  queue_name: string;
  settings?: string | null | void;
  tags?: string | null | void;
  timeout_seconds: number;
  timezone: string;
}

export interface InsertScheduleResult {
  created_at: string;
  cron_expression: string;
  description: string | null;
  id: string;
  is_active: boolean;
  last_run_at: string | null;
  max_retries: number;
  metadata: string | null;
  name: string;
  next_run_at: string | null;
  organization_id: string;
  payload_template: string;
  priority: number;
  queue_name: string;
  run_count: number;
  settings: string | null;
  tags: string | null;
  timeout_seconds: number;
  timezone: string;
  updated_at: string;
}

export const insertSchedule = new PreparedQuery<InsertScheduleParams, InsertScheduleResult>(sql, 'insertSchedule');
