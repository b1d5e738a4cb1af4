import type { JobStatus } from '@spooled/domain';

/** Rows carry the names that callers read, so that a door passes them on as they are. Times are RFC 3339 text. */
export interface JobSummaryRow {
  id: string;
  queue_name: string;
  status: JobStatus;
  priority: number;
  attempt: number;
  retry_count: number;
  max_retries: number;
  job_type: string;
  last_error: string | null;
  created_at: string;
  scheduled_at: string | null;
  started_at: string | null;
  completed_at: string | null;
}

export interface JobRow extends Omit<JobSummaryRow, 'attempt' | 'job_type'> {
  organization_id: string;
  /** JSON as text, exactly as stored. */
  payload: string;
  /** JSON as text, exactly as stored. */
  result: string | null;
  expires_at: string | null;
  tags: unknown;
  timeout_seconds: number;
  parent_job_id: string | null;
  completion_webhook: string | null;
  assigned_worker_id: string | null;
  lease_id: string | null;
  lease_expires_at: string | null;
  idempotency_key: string | null;
  updated_at: string;
  workflow_id: string | null;
  dependency_mode: 'all' | 'any' | null;
  dependencies_met: boolean | null;
}

export type JobStatusRow = Pick<JobRow, 'id' | 'status' | 'queue_name' | 'retry_count' | 'created_at' | 'completed_at'>;

export interface LeaseRow {
  worker_id: string;
  lease_id: string;
  /** Whether the lease is still running. */
  held: boolean;
}

export interface DependencyRow {
  /** `up`: the job waits for this one; `down`: this one waits for the job. */
  direction: 'up' | 'down';
  job_id: string;
  queue_name: string;
  status: JobStatus;
}

export type JobCounts = Record<JobStatus, number>;
