/** Types generated for queries found in "libs/queue/src/claim/claim-jobs.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ClaimJobs' parameters type */
export interface ClaimJobsParams {
  batch: string;
}

/** 'ClaimJobs' return type */
export interface ClaimJobsResult {
  command: number | null;
  created_at: string;
  has_subscribers: boolean;
  idempotency_key: string | null;
  job_id: string;
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
  worker_id: string;
}

/** 'ClaimJobs' query type */
export interface ClaimJobsQuery {
  params: ClaimJobsParams;
  result: ClaimJobsResult;
}

const claimJobsIR: any = {"usedParamSet":{"batch":true},"params":[{"name":"batch","required":true,"transform":{"type":"scalar"},"locs":[{"a":606,"b":612}]}],"statement":"-- Without a command number a row is a due job that the claim made pending on the way.\nSELECT\n  command, part AS \"part!\", job_id AS \"job_id!\", queue_name AS \"queue_name!\", payload AS \"payload!\", priority AS \"priority!\",\n  retry_count AS \"retry_count!\", max_retries AS \"max_retries!\", timeout_seconds AS \"timeout_seconds!\", lease_id AS \"lease_id!\",\n  lease_expires_at AS \"lease_expires_at!\", created_at AS \"created_at!\", scheduled_at, started_at AS \"started_at!\", idempotency_key,\n  traceparent, worker_id AS \"worker_id!\", has_subscribers AS \"has_subscribers!\", search_ms AS \"search_ms!\"\nFROM claim_jobs_v1(:batch!)"};

/**
 * Query generated from SQL:
 * ```
 * -- Without a command number a row is a due job that the claim made pending on the way.
 * SELECT
 *   command, part AS "part!", job_id AS "job_id!", queue_name AS "queue_name!", payload AS "payload!", priority AS "priority!",
 *   retry_count AS "retry_count!", max_retries AS "max_retries!", timeout_seconds AS "timeout_seconds!", lease_id AS "lease_id!",
 *   lease_expires_at AS "lease_expires_at!", created_at AS "created_at!", scheduled_at, started_at AS "started_at!", idempotency_key,
 *   traceparent, worker_id AS "worker_id!", has_subscribers AS "has_subscribers!", search_ms AS "search_ms!"
 * FROM claim_jobs_v1(:batch!)
 * ```
 */
export const claimJobs = new PreparedQuery<ClaimJobsParams,ClaimJobsResult>(claimJobsIR);


/** 'FindLeasesOfClaim' parameters type */
export interface FindLeasesOfClaimParams {
  batch: string;
}

/** 'FindLeasesOfClaim' return type */
export interface FindLeasesOfClaimResult {
  command: number | null;
  created_at: string;
  has_subscribers: boolean;
  idempotency_key: string | null;
  job_id: string;
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
  worker_id: string;
}

/** 'FindLeasesOfClaim' query type */
export interface FindLeasesOfClaimQuery {
  params: FindLeasesOfClaimParams;
  result: FindLeasesOfClaimResult;
}

const findLeasesOfClaimIR: any = {"usedParamSet":{"batch":true},"params":[{"name":"batch","required":true,"transform":{"type":"scalar"},"locs":[{"a":529,"b":535}]}],"statement":"SELECT\n  command, part AS \"part!\", job_id AS \"job_id!\", queue_name AS \"queue_name!\", payload AS \"payload!\", priority AS \"priority!\",\n  retry_count AS \"retry_count!\", max_retries AS \"max_retries!\", timeout_seconds AS \"timeout_seconds!\", lease_id AS \"lease_id!\",\n  lease_expires_at AS \"lease_expires_at!\", created_at AS \"created_at!\", scheduled_at, started_at AS \"started_at!\", idempotency_key,\n  traceparent, worker_id AS \"worker_id!\", has_subscribers AS \"has_subscribers!\", search_ms AS \"search_ms!\"\nFROM find_leases_of_claim_v1(:batch!)"};

/**
 * Query generated from SQL:
 * ```
 * SELECT
 *   command, part AS "part!", job_id AS "job_id!", queue_name AS "queue_name!", payload AS "payload!", priority AS "priority!",
 *   retry_count AS "retry_count!", max_retries AS "max_retries!", timeout_seconds AS "timeout_seconds!", lease_id AS "lease_id!",
 *   lease_expires_at AS "lease_expires_at!", created_at AS "created_at!", scheduled_at, started_at AS "started_at!", idempotency_key,
 *   traceparent, worker_id AS "worker_id!", has_subscribers AS "has_subscribers!", search_ms AS "search_ms!"
 * FROM find_leases_of_claim_v1(:batch!)
 * ```
 */
export const findLeasesOfClaim = new PreparedQuery<FindLeasesOfClaimParams,FindLeasesOfClaimResult>(findLeasesOfClaimIR);


