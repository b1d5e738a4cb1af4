// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './reset-usage.sql';

export type ResetUsageParams = void;

export interface ResetUsageResult {
  jobs: number;
}

export const resetUsage = new PreparedQuery<ResetUsageParams, ResetUsageResult>(sql, 'resetUsage');
