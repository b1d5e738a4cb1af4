// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './report-progress.sql';

export interface ReportProgressParams {
  batch: string;
}

export interface ReportProgressResult {
  command: number;
  queue_name: string;
  reported_at: string;
  why: string | null;
  worker_id: string;
}

export const reportProgress = new PreparedQuery<ReportProgressParams, ReportProgressResult>(sql, 'reportProgress');
