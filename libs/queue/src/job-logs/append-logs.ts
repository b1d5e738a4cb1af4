import type { LeaseStore, LogLine } from '@spooled/contracts';
import { jobLogLimits } from '@spooled/domain';
import { type BatchStep, refused, succeeded } from '../step/batch-step.js';
import { leaseItem } from '../step/lease-item.js';
import { refusalError } from '../step/lease-refusal.js';
import { leaseRowOfEach } from '../step/renewed-leases.js';
import { appendJobLogs } from './append-logs.queries.js';
import type { AppendJobLogsV1ItemsRecord, AppendJobLogsV1LinesRecord } from './append_job_logs_v1.queries.js';

/** Keeps log lines of attempts, under the lease rules of a renewal. Running it twice changes nothing more. */
export const appendLogsBatch =
  (leases?: LeaseStore): BatchStep<'job.appendLogs'> =>
  async (tx, commands) => {
    const { lines: mostLines, bytes: mostBytes, attempts: mostAttempts } = jobLogLimits;
    const rows = await leaseRowOfEach(leases, commands, {
      itemOf: ({ body }, number, lease) => {
        const item = { ...leaseItem(body, number, lease), lines: body.lines.map(lineRecord) };
        return item satisfies AppendJobLogsV1ItemsRecord;
      },
      run: (batch) => tx.run(appendJobLogs, { batch, mostLines, mostBytes, mostAttempts }),
    });
    return rows.map(({ why, kept, omitted }) =>
      why === null ? succeeded<'job.appendLogs'>({ kept, omitted }) : refused(refusalError(why)),
    );
  };

const lineRecord = ({ number, ageMs: age, level, message, fields }: LogLine) =>
  ({ number, age, level, message, fields: fields ?? undefined }) satisfies AppendJobLogsV1LinesRecord;
