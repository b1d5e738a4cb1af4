// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './measure-throughput.sql';

export interface MeasureThroughputParams {
  organizationId: string;
  queueName: string;
}

export interface MeasureThroughputResult {
  average_run_ms: number | null;
  completed: number;
  created: number;
  deadlettered: number;
  retried: number;
}

export const measureThroughput = new PreparedQuery<MeasureThroughputParams, MeasureThroughputResult>(sql, 'measureThroughput');
