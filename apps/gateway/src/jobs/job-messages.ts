import type { ClaimedJob } from '@spooled/contracts';
import type { Job, JobStatus as JobStatusName } from '@spooled/contracts/grpc';
import type { JobRow } from '@spooled/data-access';
import type { JobStatus } from '@spooled/domain';
import { documentBytes, toDocument } from '../grpc/documents.js';
import { toTimestamp } from '../grpc/timestamp.js';

const statusNames: Record<JobStatus, JobStatusName> = {
  pending: 'JOB_STATUS_PENDING',
  scheduled: 'JOB_STATUS_SCHEDULED',
  processing: 'JOB_STATUS_PROCESSING',
  completed: 'JOB_STATUS_COMPLETED',
  failed: 'JOB_STATUS_FAILED',
  deadletter: 'JOB_STATUS_DEADLETTER',
  cancelled: 'JOB_STATUS_CANCELLED',
};

export const storedJob = (row: JobRow): Job => ({
  id: row.id,
  organization_id: row.organization_id,
  queue_name: row.queue_name,
  status: statusNames[row.status],
  payload: toDocument(row.payload),
  result: toDocument(row.result),
  retry_count: row.retry_count,
  max_retries: row.max_retries,
  last_error: row.last_error ?? '',
  priority: row.priority,
  timeout_seconds: row.timeout_seconds,
  created_at: toTimestamp(row.created_at),
  scheduled_at: toTimestamp(row.scheduled_at),
  started_at: toTimestamp(row.started_at),
  completed_at: toTimestamp(row.completed_at),
  lease_expires_at: toTimestamp(row.lease_expires_at),
  assigned_worker_id: row.assigned_worker_id ?? '',
  idempotency_key: row.idempotency_key ?? '',
  lease_id: row.lease_id ?? '',
  traceparent: '',
});

/** A job for the worker that has just claimed it. */
export const claimedJob = (job: ClaimedJob, organizationId: string, workerId: string): Job => ({
  id: job.id,
  organization_id: organizationId,
  queue_name: job.queueName,
  status: statusNames.processing,
  payload: toDocument(job.payload),
  retry_count: job.retryCount,
  max_retries: job.maxRetries,
  last_error: '',
  priority: job.priority,
  timeout_seconds: job.timeoutSeconds,
  created_at: toTimestamp(job.createdAt),
  scheduled_at: toTimestamp(job.scheduledAt),
  started_at: toTimestamp(job.startedAt),
  lease_expires_at: toTimestamp(job.leaseExpiresAt),
  assigned_worker_id: workerId,
  idempotency_key: job.idempotencyKey ?? '',
  lease_id: job.leaseId,
  traceparent: job.traceparent ?? '',
});

/** Default message limit of clients, less the overhead around the jobs. */
const maxAnswerBytes = 4 * 1024 * 1024 - 4096;
/** Everything in a job but its payload, at its longest. */
const jobBytes = 2048;

/** At least as many bytes as the documents of the jobs take. */
export const bytesOfJobs = (jobs: readonly Job[]): number =>
  jobs.reduce((sum, { payload, result }) => sum + documentBytes(payload) + documentBytes(result), 0);

/** The first of the jobs, as many as fit into one response, at least one. The payloads of the others are not parsed. */
export function fittingJobs(granted: ClaimedJob[], organizationId: string, workerId: string): Job[] {
  const jobs: Job[] = [];
  let bytes = 0;
  for (const each of granted) {
    const job = claimedJob(each, organizationId, workerId);
    bytes += documentBytes(job.payload) + jobBytes;
    if (jobs.length > 0 && bytes > maxAnswerBytes) break;
    jobs.push(job);
  }
  return jobs;
}
