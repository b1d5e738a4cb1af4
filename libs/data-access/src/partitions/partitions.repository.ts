import type { TransactionLimits } from '../database/limits.js';
import type { PreparedQuery } from '../database/prepared-query.js';
import type { SystemTransaction } from '../database/transactions.js';
import {
  attachPartition,
  beginCompaction,
  createPartition,
  detachPartition,
  dropPartition,
} from './change-partitions.queries.js';
import { missingWeeks as missingWeeksSql } from './missing-weeks.queries.js';
import { pastWeeks as pastWeeksSql } from './past-weeks.queries.js';
import {
  copyKeptJobs as copyKeptJobsSql,
  deleteReferencesOfFinishedJobs,
  lockDefaultPartition,
  measureKeptJobs,
  moveDefaultRows,
  moveKeptJobs,
} from './rows-of-a-week.queries.js';

/** Replaces the partition by its copy. Fails when the table is locked for longer than `partitionLimits` allow; the caller retries later. */
export { finishCompaction } from './change-partitions.queries.js';

export const partitionedTables = ['jobs', 'job_history'] as const;
export type PartitionedTable = (typeof partitionedTables)[number];

/** The Monday that a partition begins with, as YYYY-MM-DD. */
export type Week = string;

/**
 * Limits of all transactions of this file. One that waits for a table lock blocks all later ones. The lock timeout is shorter than
 * deadlock_timeout (1 s), so that in a deadlock maintenance is cancelled and not a request.
 */
export const partitionLimits = { timeoutMs: 'none', lockMs: 500 } as const satisfies TransactionLimits;

/** Most rows that are moved while the table is locked: milliseconds. */
const maxMovedRows = 500;
/** Rows that one step of a compaction copies; changes of these jobs wait for it. */
const copiedRows = 500;
/** A partition is compacted when the kept rows need less than a quarter of it, at twice their size: pages keep free space. */
const compactedShare = 1 / 8;
/** Smaller partitions are left as they are. */
const compactedBytes = 1_048_576;
const lowestId = '00000000-0000-0000-0000-000000000000';
/** A longer interval would exceed the range of timestamps. */
const maxDays = 365_000;

/** Weeks without a partition, from the current one to `weeksAhead` later. */
export async function missingWeeks(
  tx: SystemTransaction,
  table: PartitionedTable,
  weeksAhead: number,
): Promise<Week[]> {
  const rows = await tx.run(missingWeeksSql, { table, weeksAhead });
  return rows.map(({ week }) => week);
}

/** Weeks that ended more than `days` ago, oldest first. */
export async function pastWeeks(tx: SystemTransaction, table: PartitionedTable, days: number): Promise<Week[]> {
  const rows = await tx.run(pastWeeksSql, { table, days: Math.min(days, maxDays) });
  return rows.map(({ week }) => week);
}

/**
 * Creates and attaches the partition of a week, and moves its rows from the default partition; returns the number of
 * moved rows. Fails when the default partition is locked for longer than `partitionLimits` allow; the caller retries later.
 */
export async function addPartition(tx: SystemTransaction, table: PartitionedTable, week: Week): Promise<number> {
  // The lock prevents inserts of this week into the default partition, which would make attaching fail.
  await tx.run(onPartitions(lockDefaultPartition, table, week));
  await tx.run(createPartition, { table, week });
  const row = await tx.first(onPartitions(moveDefaultRows, table, week), { week });
  await tx.run(attachPartition, { table, week });
  return row?.moved ?? 0;
}

/** What to do with the jobs of a past week: drop the few that must be kept elsewhere, rewrite the partition without the others, or nothing. */
export type PastWeekPlan = 'drop' | 'compact' | 'keep';

/** Decides by the jobs that must be kept: live jobs, dead letters and jobs that ended less than `days` ago. */
export async function planPastWeek(tx: SystemTransaction, week: Week, days: number): Promise<PastWeekPlan> {
  const row = await tx.first(onPartitions(measureKeptJobs, 'jobs', week), { days: Math.min(days, maxDays) });
  if (!row || row.kept <= maxMovedRows) return 'drop';
  return row.bytes > compactedBytes && row.kept_bytes < row.bytes * compactedShare ? 'compact' : 'keep';
}

/** Drops the jobs of a past week, except the few that must be kept, which are moved to the default partition. */
export async function dropJobsPartition(tx: SystemTransaction, week: Week, days: number): Promise<void> {
  const age = { days: Math.min(days, maxDays) };
  await tx.run(onPartitions(deleteReferencesOfFinishedJobs, 'jobs', week), age);
  // From here to the commit the table is locked, so this part must be short.
  await tx.run(detachPartition, { table: 'jobs', week });
  await tx.run(onPartitions(moveKeptJobs, 'jobs', week), age);
  await tx.run(dropPartition, { table: 'jobs', week });
}

/**
 * Begins to rewrite the jobs of a past week without those that need not be kept; `copyKeptJobs` and `finishCompaction` follow, each
 * in a transaction of its own. Can be repeated after a crash.
 */
export async function beginJobsCompaction(tx: SystemTransaction, week: Week, days: number): Promise<void> {
  await tx.run(onPartitions(deleteReferencesOfFinishedJobs, 'jobs', week), { days: Math.min(days, maxDays) });
  await tx.run(beginCompaction, { week });
}

/** Copies the next jobs after the id `after` (null = from the first); returns the last id, null when all are copied. */
export async function copyKeptJobs(
  tx: SystemTransaction,
  week: Week,
  days: number,
  after: string | null,
): Promise<string | null> {
  return (
    (
      await tx.first(onPartitions(copyKeptJobsSql, 'jobs', week), {
        after: after ?? lowestId,
        days: Math.min(days, maxDays),
        limit: copiedRows,
      })
    )?.id ?? null
  );
}

/** Drops the job history of a past week. */
export async function dropHistoryPartition(tx: SystemTransaction, week: Week): Promise<void> {
  await tx.run(detachPartition, { table: 'job_history', week });
  await tx.run(dropPartition, { table: 'job_history', week });
}

/** The statement for the partitions of a table and a week, because identifiers cannot be parameters. */
function onPartitions<Parameters, Row>(
  statement: PreparedQuery<Parameters, Row>,
  table: PartitionedTable,
  week: Week,
): PreparedQuery<Parameters, Row> {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(week)) throw new Error(`Not a week: ${week}`);
  const partition = `${table}_p${week.replaceAll('-', '')}`;
  return statement.withNames({ week_partition: partition, default_partition: `${table}_other` });
}
