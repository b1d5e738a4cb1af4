// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-job-logs.sql';

export interface ListJobLogsParams {
  afterNumber: number;
  afterRun: number;
  attempt?: number | null | void;
  id: string;
  leaseId?: string | null | void;
  limit: number;
  organizationId: string;
}

export interface ListJobLogsResult {
  at: string;
  attempt: number;
  fields: string | null;
  lease_id: string;
  level: string;
  message: string;
  number: number;
  run: number;
}

export interface ListLoggedAttemptsParams {
  id: string;
  organizationId: string;
}

export interface ListLoggedAttemptsResult {
  attempt: number;
  kept: number;
  lease_id: string;
  omitted: number;
}

export const listJobLogs = new PreparedQuery<ListJobLogsParams, ListJobLogsResult>(sql, 'listJobLogs');
export const listLoggedAttempts = new PreparedQuery<ListLoggedAttemptsParams, ListLoggedAttemptsResult>(sql, 'listLoggedAttempts');
