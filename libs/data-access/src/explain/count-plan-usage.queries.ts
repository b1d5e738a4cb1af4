// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './count-plan-usage.sql';

export interface CountPlanUsageParams {
  most: number;
  organizationId: string;
}

export interface CountPlanUsageResult {
  active_jobs: number;
  jobs_today: number;
  tomorrow: string;
}

export const countPlanUsage = new PreparedQuery<CountPlanUsageParams, CountPlanUsageResult>(sql, 'countPlanUsage');
