// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-busiest-queues.sql';

export type stringArray = (string)[];

export interface ListBusiestQueuesParams {
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface ListBusiestQueuesResult {
  name: string;
  paused: boolean;
  pending: number;
  processing: number;
}

export const listBusiestQueues = new PreparedQuery<ListBusiestQueuesParams, ListBusiestQueuesResult>(sql, 'listBusiestQueues');
