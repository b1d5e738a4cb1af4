// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-queues.sql';

export type stringArray = (string)[];

export interface ListQueuesParams {
  afterName?: string | null | void;
  defaultRetries: number;
  defaultTimeout: number;
  limit: number;
  offset: number;
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface ListQueuesResult {
  default_timeout: number;
  enabled: boolean;
  max_retries: number;
  queue_name: string;
  rate_limit: number | null;
}

export const listQueues = new PreparedQuery<ListQueuesParams, ListQueuesResult>(sql, 'listQueues');
