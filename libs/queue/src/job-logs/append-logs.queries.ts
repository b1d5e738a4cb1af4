// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './append-logs.sql';

export interface AppendJobLogsParams {
  batch: string;
  mostAttempts: number;
  mostBytes: number;
  mostLines: number;
}

export interface AppendJobLogsResult {
  command: number;
  kept: number;
  omitted: number;
  why: string | null;
}

export const appendJobLogs = new PreparedQuery<AppendJobLogsParams, AppendJobLogsResult>(sql, 'appendJobLogs');
