// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './check-queue-quota.sql';

export interface CheckQueueQuotaParams {
  organizationId: string;
  queueName: string;
  quota: string;
}

export interface CheckQueueQuotaResult {
  done: undefined | null;
}

export const checkQueueQuota = new PreparedQuery<CheckQueueQuotaParams, CheckQueueQuotaResult>(sql, 'checkQueueQuota');
