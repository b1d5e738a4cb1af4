// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-queue-rate.sql';

export interface FindQueueRateParams {
  queueName: string;
}

export interface FindQueueRateResult {
  rate_limit: number | null;
}

export const findQueueRate = new PreparedQuery<FindQueueRateParams, FindQueueRateResult>(sql, 'findQueueRate');
