// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './read-system-stats.sql';

export type ReadSystemStatsParams = void;

export interface ReadSystemStatsResult {
  api_keys: number;
  avg_run_ms: number;
  avg_wait_ms: number;
  cancelled: number;
  completed: number;
  completed_24h: number;
  created: number;
  dead_letters: number;
  deadlettered: number;
  failed_24h: number;
  jobs_today: number;
  organizations_by_plan: unknown;
  organizations_this_week: number;
  organizations_today: number;
  pending: number;
  processing: number;
  queues: number;
  queues_paused: number;
  scheduled: number;
  workers: number;
  workers_degraded: number;
  workers_healthy: number;
  workers_idle: number;
}

export const readSystemStats = new PreparedQuery<ReadSystemStatsParams, ReadSystemStatsResult>(sql, 'readSystemStats');
