// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './lock-schedule.sql';

export interface LockScheduleParams {
  id: string;
  organizationId: string;
}

export interface LockScheduleResult {
  max_retries: number;
  now: string;
  payload: string;
  priority: number;
  queue_name: string;
  settings: string | null;
  tags: string | null;
  timeout_seconds: number;
}

export const lockSchedule = new PreparedQuery<LockScheduleParams, LockScheduleResult>(sql, 'lockSchedule');
