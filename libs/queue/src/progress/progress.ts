import type { CommandOf, LeaseStore } from '@spooled/contracts';
import type { BatchTransaction } from '@spooled/data-access';
import { type BatchStep, refused, succeeded } from '../step/batch-step.js';
import { leaseItem } from '../step/lease-item.js';
import { expiredIn, refusalError } from '../step/lease-refusal.js';
import { leaseParts, presentedLease, type RenewedLeases, runOnLeases } from '../step/renewed-leases.js';
import { reportProgress, type ReportProgressResult } from './report-progress.queries.js';
import type { ReportProgressV1Record } from './report_progress_v1.queries.js';

type Report = CommandOf<'job.progress'>;

/** Keeps the last progress of a job on its live row, under the lease rules of a renewal. Running it twice changes nothing more. */
export const progressBatch =
  (leases?: LeaseStore): BatchStep<'job.progress'> =>
  async (tx, commands, effects) => {
    const found = await runOnLeases<ReportProgressResult>(leases, {
      run: (renewed) => reportRows(tx, commands, renewed),
      expired: expiredIn,
      leaseOf: (number) => presentedLease(commands[number]!.organizationId, commands[number]!.body),
    });
    const rows = new Map(found.map((row) => [row.command, row]));
    return commands.map(({ organizationId, body }, number) => {
      const row = rows.get(number)!;
      if (row.why !== null) return refused(refusalError(row.why));
      effects.event(organizationId, {
        type: 'JobProgress',
        data: {
          job_id: body.jobId,
          queue_name: row.queue_name,
          worker_id: row.worker_id,
          progress: body.progress,
          message: body.message,
          timestamp: row.reported_at,
        },
      });
      return succeeded<'job.progress'>({ reportedAt: row.reported_at });
    });
  };

function reportRows(
  tx: BatchTransaction,
  commands: Report[],
  renewed?: RenewedLeases,
): Promise<ReportProgressResult[]> {
  const parts = leaseParts(commands, renewed, ({ body }, number, lease) => {
    const { progress, message } = body;
    return {
      ...leaseItem(body, number, lease),
      progress,
      message: message ?? undefined,
    } satisfies ReportProgressV1Record;
  });
  return tx.run(reportProgress, { batch: JSON.stringify(parts) });
}
