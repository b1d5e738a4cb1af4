// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-due-schedules.sql';

export type stringArray = (string)[];

export interface FindDueSchedulesParams {
  except: stringArray;
  limit: number;
  maxBytes: number;
}

export interface FindDueSchedulesResult {
  changed_at: string;
  cron_expression: string;
  custom_limits: unknown | null;
  due_at: string;
  has_contract: boolean;
  id: string;
  max_retries: number;
  name: string;
  now: string;
  organization_id: string;
  payload: string;
  plan_tier: string;
  priority: number;
  queue_name: string;
  settings: string | null;
  tags: string | null;
  timeout_seconds: number;
  timezone: string;
}

export const findDueSchedules = new PreparedQuery<FindDueSchedulesParams, FindDueSchedulesResult>(sql, 'findDueSchedules');
