// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-dead-letter-groups.sql';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type numberArray = (number)[];

export type stringArray = (string)[];

export interface ListDeadLetterGroupsParams {
  afterCount?: number | null | void;
  afterId?: string | null | void;
  afterTime?: string | null | void;
  byCount: boolean;
  filter: string;
  limit: number;
  offset: number;
  organizationId: string;
  scope: stringArray;
}

export interface ListDeadLetterGroupsResult {
  count: number;
  error: string;
  first_seen: string;
  id: string;
  job_type: string;
  last_seen: string;
  per_hour: numberArray;
  queue_name: string;
  sample_dead_at: string;
  sample_error: string | null;
  sample_id: string;
  sample_retry_count: number;
}

export interface ListDeadLettersOfGroupParams {
  filter: string;
  limit: number;
  offset: number;
  organizationId: string;
  scope: stringArray;
}

export interface ListDeadLettersOfGroupResult {
  attempt: number;
  completed_at: string | null;
  created_at: string;
  id: string;
  job_type: string;
  last_error: string | null;
  max_retries: number;
  priority: number;
  queue_name: string;
  retry_count: number;
  scheduled_at: string | null;
  started_at: string | null;
  status: job_status;
}

export const listDeadLetterGroups = new PreparedQuery<ListDeadLetterGroupsParams, ListDeadLetterGroupsResult>(sql, 'listDeadLetterGroups');
export const listDeadLettersOfGroup = new PreparedQuery<ListDeadLettersOfGroupParams, ListDeadLettersOfGroupResult>(sql, 'listDeadLettersOfGroup');
