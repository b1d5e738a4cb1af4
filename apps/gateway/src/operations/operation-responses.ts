import { listsJobs, parseActor, rawJson } from '@spooled/contracts';
import type { OperationJobRow, OperationRow, Preview } from '@spooled/data-access';
import { maxCounted } from '@spooled/data-access';

/** An operation as JSON text; the patch is copied as stored. */
export function toOperationResponse(
  { payload_patch, settings: options, ...row }: OperationRow,
  more: object = {},
): string {
  const waiting =
    row.kind === 'deadletter.replay'
      ? row.processed - row.refused - row.succeeded - row.failed - row.ended_otherwise
      : 0;
  return rawJson({ ...row, options, waiting, actor: parseActor(row.actor), ...more }, { payload_patch });
}

/** The first jobs of an operation that could not be replayed, and those that failed again. */
export interface OperationItems {
  refused: OperationJobRow[];
  failed: OperationJobRow[];
}

export const toDetailsResponse = (row: OperationRow, { refused, failed }: OperationItems): string =>
  toOperationResponse(row, {
    lists_jobs: listsJobs(row),
    refused_jobs: refused.map(withoutOutcome),
    failed_jobs: failed.map(withoutOutcome),
  });

const withoutOutcome = ({ job_id, error }: OperationJobRow) => ({ job_id, error });

/** A job of a dry run. `payload`: JSON text after the patch; null without a patch. */
export interface SampledJob {
  id: string;
  queue_name: string;
  job_type: string;
  last_error?: string | null;
  problem?: string | null;
  payload?: string | null;
}

/** What a dry run found. `asOf`: when, by the clock of the database. */
export type JobPreview = Preview<SampledJob> & { asOf: string };

export function toPreviewResponse({ count, sample, asOf: as_of }: JobPreview): string {
  const jobs = sample.map(({ id: job_id, queue_name, job_type, last_error: error = null, problem = null, payload }) =>
    rawJson({ job_id, queue_name, job_type, error, problem }, { payload: payload ?? null }),
  );
  const has_more = count > maxCounted;
  return rawJson(
    { dry_run: true, as_of, count: Math.min(count, maxCounted), has_more },
    { sample: `[${jobs.join(',')}]` },
  );
}
