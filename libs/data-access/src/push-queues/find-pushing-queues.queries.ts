// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-pushing-queues.sql';

export type stringArray = (string)[];

export interface FindPushingQueuesParams {
  organizationId: string;
  queueNames: stringArray;
}

export interface FindPushingQueuesResult {
  queue_name: string;
}

export const findPushingQueues = new PreparedQuery<FindPushingQueuesParams, FindPushingQueuesResult>(sql, 'findPushingQueues');
