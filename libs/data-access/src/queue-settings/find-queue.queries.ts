// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-queue.sql';

export type stringArray = (string)[];

export interface FindQueueParams {
  defaultRetries: number;
  defaultTimeout: number;
  hidden: stringArray;
  organizationId: string;
  queueName: string;
  withSecrets: boolean;
}

export interface FindQueueResult {
  created_at: string;
  default_timeout: number;
  enabled: boolean;
  id: string;
  max_retries: number;
  organization_id: string;
  queue_name: string;
  rate_limit: number | null;
  settings: string;
  updated_at: string;
}

export const findQueue = new PreparedQuery<FindQueueParams, FindQueueResult>(sql, 'findQueue');
