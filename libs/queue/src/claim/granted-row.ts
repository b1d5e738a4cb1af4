import type { ClaimedJob } from '@spooled/contracts';
import type { ClaimJobsResult } from './claim-jobs.queries.js';

export const claimedJob = (row: ClaimJobsResult): ClaimedJob => ({
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
