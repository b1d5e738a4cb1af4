// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './measure-activity.sql';

export type stringArray = (string)[];

export interface MeasureActivityParams {
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface MeasureActivityResult {
  avg_run_ms: number | null;
  avg_wait_ms: number | null;
  completed_1h: number;
  completed_24h: number;
  created_1h: number;
  failed_1h: number;
  failed_24h: number;
}

export const measureActivity = new PreparedQuery<MeasureActivityParams, MeasureActivityResult>(sql, 'measureActivity');
