// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-push-queues.sql';

export interface ListPushQueuesParams {
  limit: number;
}

export interface ListPushQueuesResult {
  custom_limits: unknown | null;
  has_work: boolean;
  organization_id: string;
  plan_tier: string;
  queue_name: string;
  settings: unknown;
}

export const listPushQueues = new PreparedQuery<ListPushQueuesParams, ListPushQueuesResult>(sql, 'listPushQueues');
