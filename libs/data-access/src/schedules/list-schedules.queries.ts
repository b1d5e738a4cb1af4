// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-schedules.sql';

export type stringArray = (string)[];

export interface ListSchedulesParams {
  active?: boolean | null | void;
  afterId?: string | null | void;
  afterTime?: string | null | void;
  limit: number;
  maxBytes: number;
  offset: number;
  organizationId: string;
  queues?: stringArray | null | void;
  rows: number;
}

export interface ListSchedulesResult {
  created_at: string;
  cron_expression: string;
  description: string | null;
  found: number;
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

export interface FindSchedulesEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  organizationId: string;
  rows: number;
}

export interface FindSchedulesEndResult {
  at: string;
  id: string;
}

export const listSchedules = new PreparedQuery<ListSchedulesParams, ListSchedulesResult>(sql, 'listSchedules');
export const findSchedulesEnd = new PreparedQuery<FindSchedulesEndParams, FindSchedulesEndResult>(sql, 'findSchedulesEnd');
