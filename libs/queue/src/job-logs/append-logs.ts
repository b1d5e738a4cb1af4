import type { CommandOf, LeaseStore, LogLine } from '@spooled/contracts';
import type { BatchTransaction } from '@spooled/data-access';
import { jobLogLimits } from '@spooled/domain';
import { type BatchStep, refused, succeeded } from '../step/batch-step.js';
import { leaseItem } from '../step/lease-item.js';
import { expiredIn, refusalError } from '../step/lease-refusal.js';
import { leaseParts, presentedLease, type RenewedLeases, runOnLeases } from '../step/renewed-leases.js';
import { appendJobLogs, type AppendJobLogsResult } from './append-logs.queries.js';
import type { AppendJobLogsV1ItemsRecord, AppendJobLogsV1LinesRecord } from './append_job_logs_v1.queries.js';

type Report = CommandOf<'job.appendLogs'>;

/** Keeps log lines of attempts, under the lease rules of a renewal. Running it twice changes nothing more. */
export const appendLogsBatch =
  (leases?: LeaseStore): BatchStep<'job.appendLogs'> =>
  async (tx, commands) => {
    const found = await runOnLeases<AppendJobLogsResult>(leases, {
      run: (renewed) => appendRows(tx, commands, renewed),
      expired: expiredIn,
      leaseOf: (number) => presentedLease(commands[number]!.organizationId, commands[number]!.body),
    });
    const rows = new Map(found.map((row) => [row.command, row]));
    return commands.map((_, number) => {
      const { why, kept, omitted } = rows.get(number)!;
      return why === null ? succeeded<'job.appendLogs'>({ kept, omitted }) : refused(refusalError(why));
    });
  };

function appendRows(tx: BatchTransaction, commands: Report[], renewed?: RenewedLeases): Promise<AppendJobLogsResult[]> {
  const parts = leaseParts(commands, renewed, ({ body }, number, lease) => {
    const lines = body.lines.map(lineRecord);
    return { ...leaseItem(body, number, lease), lines } satisfies AppendJobLogsV1ItemsRecord;
  });
  const { lines: mostLines, bytes: mostBytes, attempts: mostAttempts } = jobLogLimits;
  return tx.run(appendJobLogs, { batch: JSON.stringify(parts), mostLines, mostBytes, mostAttempts });
}

const lineRecord = ({ number, ageMs: age, level, message, fields }: LogLine) =>
  ({ number, age, level, message, fields: fields ?? undefined }) satisfies AppendJobLogsV1LinesRecord;
