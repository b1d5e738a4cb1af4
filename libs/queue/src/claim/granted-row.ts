import type { ClaimedJob } from '@spooled/contracts';

/** A row of `claim_jobs_v2`; without a command number it is a due job that the claim activated but did not grant. */
export interface GrantedRow {
  command: number | null;
  part: number;
  job_id: string;
  queue_name: string;
  payload: string;
  priority: number;
  retry_count: number;
  max_retries: number;
  timeout_seconds: number;
  lease_id: string;
  lease_expires_at: string;
  created_at: string;
  scheduled_at: string | null;
  started_at: string;
  idempotency_key: string | null;
  traceparent: string | null;
  worker_id: string;
  /** The organization has a webhook for job.started. */
  has_subscribers: boolean;
  /** How long the search for ready jobs took in the queue of this row. */
  search_ms: number;
}

export const claimedJob = (row: GrantedRow): ClaimedJob => ({
  id: row.job_id,
  queueName: row.queue_name,
  payload: row.payload,
  priority: row.priority,
  retryCount: row.retry_count,
  maxRetries: row.max_retries,
  timeoutSeconds: row.timeout_seconds,
  leaseId: row.lease_id,
  leaseExpiresAt: row.lease_expires_at,
  createdAt: row.created_at,
  scheduledAt: row.scheduled_at,
  startedAt: row.started_at,
  idempotencyKey: row.idempotency_key,
  traceparent: row.traceparent,
});
