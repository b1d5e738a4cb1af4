// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './count-recent.sql';

export type stringArray = (string)[];

export interface CountRecentParams {
  hours: number;
  names: stringArray;
  organizationId: string;
}

export interface CountRecentResult {
  cancelled: number;
  completed: number;
  covered_seconds: number;
  created: number;
  deadlettered: number;
  expired: number;
  queue_name: string;
  retried: number;
  run_ms: number;
  wait_ms: number;
}

export interface CountLastMinuteParams {
  names: stringArray;
  organizationId: string;
}

export interface CountLastMinuteResult {
  completed: number;
  covered_seconds: number;
  created: number;
  deadlettered: number;
  expired: number;
  queue_name: string;
  retried: number;
}

export const countRecent = new PreparedQuery<CountRecentParams, CountRecentResult>(sql, 'countRecent');
export const countLastMinute = new PreparedQuery<CountLastMinuteParams, CountLastMinuteResult>(sql, 'countLastMinute');
