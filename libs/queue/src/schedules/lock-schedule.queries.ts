// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './lock-schedule.sql';

export interface LockScheduleParams {
  id: string;
  organizationId: string;
}

export interface LockScheduleResult {
  maxRetries: number;
  now: string;
  payload: string;
  priority: number;
  queueName: string;
  settings: string | null;
  tags: string | null;
  timeoutSeconds: number;
}

export const lockSchedule = new PreparedQuery<LockScheduleParams, LockScheduleResult>(sql, 'lockSchedule');
