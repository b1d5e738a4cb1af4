// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './measure-queues.sql';

export interface MeasureQueuesParams {
  perOrganization: number;
  total: number;
}

export interface MeasureQueuesResult {
  max_age_seconds: number;
  organization: string | null;
  pending: number;
  processing: number;
  queue: string | null;
}

export const measureQueues = new PreparedQuery<MeasureQueuesParams, MeasureQueuesResult>(sql, 'measureQueues');
