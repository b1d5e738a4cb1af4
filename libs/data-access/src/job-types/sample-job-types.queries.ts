// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './sample-job-types.sql';

export type numberArray = (number)[];

export type stringArray = (string)[];

export interface ListTypesOfQueuesParams {
  most: number;
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface ListTypesOfQueuesResult {
  job_type: string;
  queue_name: string;
}

export interface SampleJobTypesParams {
  jobTypes?: stringArray | null | void;
  minutes: number;
  most: number;
  organizationId: string;
  perType: number;
  queueNames?: stringArray | null | void;
  queues?: stringArray | null | void;
  versions: number;
}

export interface SampleJobTypesResult {
  cancelled: number;
  completed: number;
  completed_minute: number;
  created: number;
  created_minute: number;
  dead_lettered: number;
  failed: number;
  failed_minute: number;
  is_cut: boolean;
  job_type: string;
  queue_name: string;
  run_ms: numberArray | null;
  since: string;
  trend: string;
  types: number;
  versions: string;
  wait_ms: numberArray | null;
  waits: number;
}

export const listTypesOfQueues = new PreparedQuery<ListTypesOfQueuesParams, ListTypesOfQueuesResult>(sql, 'listTypesOfQueues');
export const sampleJobTypes = new PreparedQuery<SampleJobTypesParams, SampleJobTypesResult>(sql, 'sampleJobTypes');
