// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './list-jobs-of-types.sql';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type live_state = 'leased' | 'ready' | 'retrying' | 'scheduled';

export type job_statusArray = (job_status)[];

export type live_stateArray = (live_state)[];

export type stringArray = (string)[];

export interface ListJobsOfTypesParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  endId?: string | null | void;
  endTime?: string | null | void;
  liveStates?: live_stateArray | null | void;
  organizationId: string;
  outcomes?: job_statusArray | null | void;
  skip: number;
  tag?: string | null | void;
  take: number;
  typeNames: stringArray;
  typeQueues: stringArray;
}

export interface ListJobsOfTypesResult {
  created_at: string;
  id: string;
}

export interface FindTypesEndParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  organizationId: string;
  rows: number;
  typeNames: stringArray;
  typeQueues: stringArray;
}

export interface FindTypesEndResult {
  at: string;
  id: string;
}

export interface ListJobsByIdParams {
  afterId?: string | null | void;
  afterTime?: string | null | void;
  ascending: boolean;
  createdAfter?: string | null | void;
  createdBefore?: string | null | void;
  endId?: string | null | void;
  endTime?: string | null | void;
  firstId: string;
  jobType?: string | null | void;
  lastId: string;
  liveStates?: live_stateArray | null | void;
  organizationId: string;
  outcomes?: job_statusArray | null | void;
  queues?: stringArray | null | void;
  skip: number;
  tag?: string | null | void;
  take: number;
}

export interface ListJobsByIdResult {
  created_at: string;
  id: string;
}

export interface ListTypesParams {
  jobType?: string | null | void;
  most: number;
  organizationId: string;
  queues?: stringArray | null | void;
  text?: string | null | void;
}

export interface ListTypesResult {
  matches: boolean;
  queue: string;
  type: string;
}

export interface ListQueuesOfJobsParams {
  most: number;
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface ListQueuesOfJobsResult {
  queue: string;
}

export const listJobsOfTypes = new PreparedQuery<ListJobsOfTypesParams, ListJobsOfTypesResult>(sql, 'listJobsOfTypes');
export const findTypesEnd = new PreparedQuery<FindTypesEndParams, FindTypesEndResult>(sql, 'findTypesEnd');
export const listJobsById = new PreparedQuery<ListJobsByIdParams, ListJobsByIdResult>(sql, 'listJobsById');
export const listTypes = new PreparedQuery<ListTypesParams, ListTypesResult>(sql, 'listTypes');
export const listQueuesOfJobs = new PreparedQuery<ListQueuesOfJobsParams, ListQueuesOfJobsResult>(sql, 'listQueuesOfJobs');
