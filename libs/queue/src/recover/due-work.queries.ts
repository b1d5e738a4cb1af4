// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './due-work.sql';

export type job_status = 'cancelled' | 'completed' | 'deadletter' | 'failed' | 'pending' | 'processing' | 'scheduled';

export type live_state = 'leased' | 'ready' | 'retrying' | 'scheduled';

export type stringArray = (string)[];

export interface ActivateDueJobsParams {
  limit: number;
}

export interface ActivateDueJobsResult {
  job_id: string;
  now: string;
  old: live_state;
  organization_id: string;
  queue_name: string;
}

export interface LockExpiredLeasesParams {
  except: stringArray;
  limit: number;
  only?: stringArray | null | void;
}

export interface LockExpiredLeasesResult {
  cancel_requested: boolean;
  job_id: string;
  lease_id: string;
  max_retries: number;
  organization_id: string;
  queue_name: string;
  retry_count: number;
  settings: unknown | null;
  timed_out_after: number | null;
  worker_id: string;
}

export interface LockJobsOfWorkersParams {
  limit: number;
  organizationIds: stringArray;
  workerIds: stringArray;
}

export interface LockJobsOfWorkersResult {
  cancel_requested: boolean;
  job_id: string;
  lease_id: string;
  max_retries: number;
  organization_id: string;
  queue_name: string;
  retry_count: number;
  worker_id: string;
}

export interface FindExpiredJobsParams {
  except: stringArray;
  limit: number;
}

export interface FindExpiredJobsResult {
  job_id: string;
  organization_id: string;
}

export interface ListBlockedJobsParams {
  after: string;
  limit: number;
}

export interface ListBlockedJobsResult {
  job_id: string;
}

export interface FindOrphansParams {
  ids: stringArray;
  limit: number;
}

export interface FindOrphansResult {
  job_id: string;
  organization_id: string;
  outcome: job_status | null;
  parent: string | null;
}

export interface ReleaseOrphansParams {
  completed: stringArray;
  ended: stringArray;
  organizationId: string;
}

export interface ReleaseOrphansResult {
  cancelled: unknown;
  now: string;
  released: unknown;
}

export interface LockBlockedJobsParams {
  ids: stringArray;
  organizationId: string;
}

export interface LockBlockedJobsResult {
  job_id: string;
}

export interface MeetDependenciesParams {
  ids: stringArray;
  organizationId: string;
}

export interface MeetDependenciesResult {
  queue: string;
}

export const activateDueJobs = new PreparedQuery<ActivateDueJobsParams, ActivateDueJobsResult>(sql, 'activateDueJobs');
export const lockExpiredLeases = new PreparedQuery<LockExpiredLeasesParams, LockExpiredLeasesResult>(sql, 'lockExpiredLeases');
export const lockJobsOfWorkers = new PreparedQuery<LockJobsOfWorkersParams, LockJobsOfWorkersResult>(sql, 'lockJobsOfWorkers');
export const findExpiredJobs = new PreparedQuery<FindExpiredJobsParams, FindExpiredJobsResult>(sql, 'findExpiredJobs');
export const listBlockedJobs = new PreparedQuery<ListBlockedJobsParams, ListBlockedJobsResult>(sql, 'listBlockedJobs');
export const findOrphans = new PreparedQuery<FindOrphansParams, FindOrphansResult>(sql, 'findOrphans');
export const releaseOrphans = new PreparedQuery<ReleaseOrphansParams, ReleaseOrphansResult>(sql, 'releaseOrphans');
export const lockBlockedJobs = new PreparedQuery<LockBlockedJobsParams, LockBlockedJobsResult>(sql, 'lockBlockedJobs');
export const meetDependencies = new PreparedQuery<MeetDependenciesParams, MeetDependenciesResult>(sql, 'meetDependencies');
