import { type BatchCallback, type batchSchemas, rawJson } from '@spooled/contracts';
import type { BatchJobRow, BatchRow } from '@spooled/data-access';

/** A batch as JSON text; its metadata is copied as stored, without parsing. */
export function toBatchResponse({ metadata, callback_names, ...row }: BatchRow): string {
  const { success_job_id: on_success, complete_job_id: on_complete, death_job_id: on_death, ...batch } = row;
  const ended = batch.succeeded_jobs + batch.failed_jobs + batch.cancelled_jobs;
  const response = {
    ...batch,
    // Jobs that end while the row is read may be counted as running as well.
    pending_jobs: Math.max(0, batch.total_jobs - ended - batch.running_jobs),
    callbacks: callback_names as BatchCallback[],
    callback_job_ids: { on_success, on_complete, on_death },
  } satisfies Omit<batchSchemas.Batch, 'metadata'>;
  return rawJson(response, { metadata });
}

export function toBatchJobResponse({ result, documents_omitted, ...row }: BatchJobRow): string {
  const job: Omit<batchSchemas.BatchJob, 'result'> = documents_omitted ? { ...row, documents_omitted } : row;
  return rawJson(job, { result });
}
