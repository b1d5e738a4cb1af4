import type { ClaimedJob } from '@spooled/contracts';
import type { ClaimJobsResult } from './claim-jobs.queries.js';

export type GrantedRow = ClaimJobsResult & { job_id: string };

/** Whether the row is a job; else it is a claim that was put off. */
export const isGranted = <Row extends ClaimJobsResult>(row: Row): row is Row & GrantedRow => row.job_id !== null;

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
