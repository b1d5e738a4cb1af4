import type { LeaseStore } from '@spooled/contracts';
import { type BatchStep, refused, succeeded } from '../step/batch-step.js';
import { leaseItem } from '../step/lease-item.js';
import { refusalError } from '../step/lease-refusal.js';
import { leaseRowOfEach } from '../step/renewed-leases.js';
import { reportProgress } from './report-progress.queries.js';
import type { ReportProgressV1Record } from './report_progress_v1.queries.js';

/** Keeps the last progress of a job on its live row, under the lease rules of a renewal. Running it twice changes nothing more. */
export const progressBatch =
  (leases?: LeaseStore): BatchStep<'job.progress'> =>
  async (tx, commands, effects) => {
    const rows = await leaseRowOfEach(leases, commands, {
      itemOf: ({ body }, number, lease) => {
        const { progress, message } = body;
        const item = { ...leaseItem(body, number, lease), progress, message: message ?? undefined };
        return item satisfies ReportProgressV1Record;
      },
      run: (batch) => tx.run(reportProgress, { batch }),
    });
    return commands.map(({ organizationId, body }, number) => {
      const row = rows[number]!;
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
