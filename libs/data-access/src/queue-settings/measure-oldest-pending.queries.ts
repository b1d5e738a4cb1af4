// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './measure-oldest-pending.sql';

export interface MeasureOldestPendingParams {
  organizationId: string;
  queueName: string;
}

export interface MeasureOldestPendingResult {
  age_ms: number;
}

export const measureOldestPending = new PreparedQuery<MeasureOldestPendingParams, MeasureOldestPendingResult>(sql, 'measureOldestPending');
