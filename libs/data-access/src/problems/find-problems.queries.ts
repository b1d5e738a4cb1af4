// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '../database/prepared-query.js';
import sql from './find-problems.sql';

export type stringArray = (string)[];

export interface FindSuspectQueuesParams {
  most: number;
  organizationId: string;
  queues?: stringArray | null | void;
  scanned: number;
}

export interface FindSuspectQueuesResult {
  more: boolean;
  queue_name: string;
  total: number;
}

export interface FindRecentCausesParams {
  most: number;
  organizationId: string;
  scanned: number;
  scope: stringArray;
}

export interface FindRecentCausesResult {
  error: string;
  group_id: string;
  hour_before: number;
  is_cut: boolean;
  is_new: boolean;
  job_type: string;
  last_hour: number;
  muted_until: string | null;
  queue_name: string;
  since: string;
}

export interface CompareLatenciesParams {
  organizationId: string;
  queues?: stringArray | null | void;
}

export interface CompareLatenciesResult {
  bucket: number;
  is_recent: boolean;
  is_run: boolean;
  jobs: number;
  queue_name: string;
}

export interface FindSuspectSchedulesParams {
  most: number;
  organizationId: string;
  queues?: stringArray | null | void;
  scanned: number;
}

export interface FindSuspectSchedulesResult {
  error: string | null;
  failed_at: string | null;
  id: string;
  is_late: boolean;
  name: string;
  next_run_at: string | null;
  queue_name: string;
  total: number;
}

export interface FindSuspectWebhooksParams {
  disableAfterSeconds: number;
  most: number;
  organizationId: string;
}

export interface FindSuspectWebhooksResult {
  enabled: boolean;
  failing_since: string | null;
  failure_count: number;
  id: string;
  is_near_end: boolean;
  last_triggered_at: string | null;
  name: string;
  total: number;
}

export type FindLastSampleParams = void;

export interface FindLastSampleResult {
  at: string | null;
  checked_at: string;
  is_old: boolean;
}

export const findSuspectQueues = new PreparedQuery<FindSuspectQueuesParams, FindSuspectQueuesResult>(sql, 'findSuspectQueues');
export const findRecentCauses = new PreparedQuery<FindRecentCausesParams, FindRecentCausesResult>(sql, 'findRecentCauses');
export const compareLatencies = new PreparedQuery<CompareLatenciesParams, CompareLatenciesResult>(sql, 'compareLatencies');
export const findSuspectSchedules = new PreparedQuery<FindSuspectSchedulesParams, FindSuspectSchedulesResult>(sql, 'findSuspectSchedules');
export const findSuspectWebhooks = new PreparedQuery<FindSuspectWebhooksParams, FindSuspectWebhooksResult>(sql, 'findSuspectWebhooks');
export const findLastSample = new PreparedQuery<FindLastSampleParams, FindLastSampleResult>(sql, 'findLastSample');
