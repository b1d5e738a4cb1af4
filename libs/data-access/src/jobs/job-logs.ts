import { type LogLevel, logLevels } from '@spooled/domain';
import { oneOf } from '../database/stored-values.js';
import type { TenantTransaction } from '../database/transactions.js';
import {
  listJobLogs as listJobLogsSql,
  type ListJobLogsResult,
  listLoggedAttempts,
  type ListLoggedAttemptsResult,
} from './list-job-logs.queries.js';

/** A log line of a job. `fields` is JSON text, exactly as stored. */
export interface JobLogRow extends ListJobLogsResult {
  level: LogLevel;
}

/** Where a line is in the log of its job. */
export type JobLogPosition = Pick<JobLogRow, 'run' | 'number'>;

export interface JobLogPage {
  /** Lines after it; null: from the first. */
  after: JobLogPosition | null;
  attempt: number | null;
  leaseId: string | null;
  limit: number;
}

/** An attempt that has lines, and how many were not kept. */
export type JobLogAttempt = ListLoggedAttemptsResult;

/** One page of the log of a job, and its attempts; none when the job is not in the organization. */
export async function listJobLogs(
  tx: TenantTransaction,
  id: string,
  { after, attempt, leaseId, limit }: JobLogPage,
): Promise<{ lines: JobLogRow[]; attempts: JobLogAttempt[] }> {
  const position = { afterRun: after?.run ?? 0, afterNumber: after?.number ?? 0 };
  const rows = await tx.run(listJobLogsSql, { id, ...position, attempt, leaseId, limit });
  const attempts = await tx.run(listLoggedAttempts, { id });
  return { lines: rows.map((row) => ({ ...row, level: oneOf(logLevels, row.level) })), attempts };
}
