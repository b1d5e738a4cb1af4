// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-records.sql';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type live_state = 'leased' | 'ready' | 'retrying' | 'scheduled';

export type job_statusArray = (job_status)[];

export type live_stateArray = (live_state)[];

export type stringArray = (string)[];

export interface ListRecordsParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  jobType?: string | null | void;
  liveStates?: live_stateArray | null | void;
  organizationId: string;
  outcomes?: job_statusArray | null | void;
  queues?: stringArray | null | void;
  rows: number;
  skip: number;
  tag?: string | null | void;
  take: number;
  text?: string | null | void;
}

export interface ListRecordsResult {
  created_at: string;
  id: string;
}

export interface FindRecordsEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  organizationId: string;
  rows: number;
}

export interface FindRecordsEndResult {
  at: string;
  id: string;
}

export const listRecords = new PreparedQuery<ListRecordsParams, ListRecordsResult>(sql, 'listRecords');
export const findRecordsEnd = new PreparedQuery<FindRecordsEndParams, FindRecordsEndResult>(sql, 'findRecordsEnd');
