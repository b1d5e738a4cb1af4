// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-push-queues.sql';

export interface ListPushQueuesParams {
  limit: number;
}

export interface ListPushQueuesResult {
  customLimits: unknown | null;
  hasWork: boolean;
  organizationId: string;
  planTier: string;
  queueName: string;
  settings: unknown;
}

export const listPushQueues = new PreparedQuery<ListPushQueuesParams, ListPushQueuesResult>(sql, 'listPushQueues');
