// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './claim-jobs.sql';

export type stringArray = (string)[];

export interface ClaimJobsParams {
  batch: string;
  maxBytes: number;
}

export interface ClaimJobsResult {
  command: number | null;
  created_at: string;
  has_subscribers: boolean;
  idempotency_key: string | null;
  job_id: string | null;
  lease_expires_at: string;
  lease_id: string;
  max_retries: number;
  part: number;
  payload: string;
  priority: number;
  queue_name: string;
  retry_count: number;
  scheduled_at: string | null;
  search_ms: number;
  started_at: string;
  timeout_seconds: number;
  traceparent: string | null;
  wait_reasons: stringArray | null;
  worker_id: string;
}

export interface FindLeasesOfClaimParams {
  batch: string;
  maxBytes: number;
}

export interface FindLeasesOfClaimResult {
  bytes: number;
  command: number | null;
  created_at: string;
  has_subscribers: boolean;
  idempotency_key: string | null;
  job_id: string | null;
  lease_expires_at: string;
  lease_id: string;
  max_retries: number;
  part: number;
  payload: string;
  priority: number;
  queue_name: string;
  retry_count: number;
  scheduled_at: string | null;
  search_ms: number;
  started_at: string;
  timeout_seconds: number;
  traceparent: string | null;
  wait_reasons: stringArray | null;
  worker_id: string;
}

export const claimJobs = new PreparedQuery<ClaimJobsParams, ClaimJobsResult>(sql, 'claimJobs');
export const findLeasesOfClaim = new PreparedQuery<FindLeasesOfClaimParams, FindLeasesOfClaimResult>(sql, 'findLeasesOfClaim');
