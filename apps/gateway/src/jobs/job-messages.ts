import type { ClaimedJob, grpcMessages } from '@spooled/contracts';
import type { JobRow } from '@spooled/data-access';
import { structBytes, toStruct } from '../grpc/struct.js';
import { toTimestamp } from '../grpc/timestamp.js';

type Job = grpcMessages.Job;

const statusName = (status: string): string => `JOB_STATUS_${status.toUpperCase()}`;

/** A job as it is stored. */
export const storedJob = (row: JobRow): Job => ({
  id: row.id,
  organization_id: row.organization_id,
  queue_name: row.queue_name,
  status: statusName(row.status),
  payload: toStruct(row.payload),
  result: toStruct(row.result),
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
});

/** A job as it is handed to the worker that has just claimed it. */
export const claimedJob = (job: ClaimedJob, organizationId: string, workerId: string): Job => ({
  id: job.id,
  organization_id: organizationId,
  queue_name: job.queueName,
  status: statusName('processing'),
  payload: toStruct(job.payload),
  result: null,
  retry_count: job.retryCount,
  max_retries: job.maxRetries,
  last_error: '',
  priority: job.priority,
  timeout_seconds: job.timeoutSeconds,
  created_at: toTimestamp(job.createdAt),
  scheduled_at: toTimestamp(job.scheduledAt),
  started_at: toTimestamp(job.startedAt),
  completed_at: null,
  lease_expires_at: toTimestamp(job.leaseExpiresAt),
  assigned_worker_id: workerId,
  idempotency_key: job.idempotencyKey ?? '',
  lease_id: job.leaseId,
});

/** What clients accept in one message, less some room for what is around the jobs. */
const maxAnswerBytes = 4 * 1024 * 1024 - 4096;
/** Everything in a job but its payload, at its longest. */
const jobBytes = 2048;

/** As many of the jobs, from the first on, as fit into one answer; at least one. The others are not even read. */
export function fittingJobs(granted: ClaimedJob[], organizationId: string, workerId: string): Job[] {
  const jobs: Job[] = [];
  let bytes = 0;
  for (const each of granted) {
    const job = claimedJob(each, organizationId, workerId);
    bytes += structBytes(job.payload) + jobBytes;
    if (jobs.length > 0 && bytes > maxAnswerBytes) break;
    jobs.push(job);
  }
  return jobs;
}
