import { type BatchCallback, type batchSchemas, rawJson } from '@spooled/contracts';
import type { BatchJobRow, BatchRow } from '@spooled/data-access';

/** A batch as JSON text; its metadata is copied as stored, without parsing. */
export const toBatchResponse = (row: BatchRow): string =>
  rawJson(
    {
      id: row.id,
      name: row.name,
      status: row.status,
      total_jobs: row.total_jobs,
      // Jobs that end while the row is read may be counted as running as well.
      pending_jobs: Math.max(0, row.total_jobs - row.succeeded - row.failed - row.cancelled - row.running),
      running_jobs: row.running,
      succeeded_jobs: row.succeeded,
      failed_jobs: row.failed,
      cancelled_jobs: row.cancelled,
      queue_names: row.queue_names,
      callbacks: row.callback_names as BatchCallback[],
      callback_job_ids: {
        on_success: row.success_job_id,
        on_complete: row.complete_job_id,
        on_death: row.death_job_id,
      },
      created_at: row.created_at,
      closed_at: row.closed_at,
      completed_at: row.completed_at,
    } satisfies Omit<batchSchemas.Batch, 'metadata'>,
    { metadata: row.metadata },
  );

export const toBatchJobResponse = (row: BatchJobRow): string =>
  rawJson(
    {
      id: row.id,
      queue_name: row.queue_name,
      job_type: row.job_type,
      status: row.status,
      attempt: row.retry_count,
      error: row.last_error,
      created_at: row.created_at,
      started_at: row.started_at,
      completed_at: row.completed_at,
      ...(row.documents_omitted && { documents_omitted: true as const }),
    } satisfies Omit<batchSchemas.BatchJob, 'result'>,
    { result: row.result },
  );
