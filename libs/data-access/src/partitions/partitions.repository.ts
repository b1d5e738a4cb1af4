import type { SystemTransaction } from '../database/transactions.js';
import {
  attachPartition,
  createPartition,
  detachPartition,
  dropPartition,
  waitBriefly,
} from './change-partitions.queries.js';
import countKeptJobsSql from './count-kept-jobs.sql';
import forgetFinishedJobsSql from './delete-references-of-finished-jobs.sql';
import { missingWeeks as missingWeeksSql } from './missing-weeks.queries.js';
import moveKeptJobsSql from './move-kept-jobs.sql';
import moveStraysSql from './move-strays.sql';
import { pastWeeks as pastWeeksSql } from './past-weeks.queries.js';

export const partitionedTables = ['jobs', 'job_history'] as const;
export type PartitionedTable = (typeof partitionedTables)[number];

/** The Monday that a partition begins with, as YYYY-MM-DD. */
export type Week = string;

/** More rows than this are not moved while everybody waits for the table. */
const mostKept = 10_000;
/** PostgreSQL's longest sensible interval, see retention. */
const longestDays = 365_000;

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
  const rows = await tx.run(pastWeeksSql, { table, days: Math.min(days, longestDays) });
  return rows.map(({ week }) => week);
}

/**
 * Creates and attaches the partition of a week, and takes over its rows that wait in the default partition. Returns how
 * many those were. Fails when somebody holds the default partition for longer than half a second; try again later.
 */
export async function addPartition(tx: SystemTransaction, table: PartitionedTable, week: Week): Promise<number> {
  await limitWaiting(tx);
  // From now on no row of this week can get into the default partition, which would make attaching fail.
  await tx.query(`LOCK TABLE ${table}_other IN ACCESS EXCLUSIVE MODE`);
  await tx.run(createPartition, { table, week });
  const [row] = await tx.query<{ moved: number }>(fill(moveStraysSql, table, week), [week]);
  await tx.run(attachPartition, { table, week });
  return row?.moved ?? 0;
}

/**
 * Drops the jobs of a past week, except live jobs, dead letters and jobs that ended less than `days` ago: those move to
 * the default partition. False when too many would have to move; then the partition stays.
 */
export async function dropJobsPartition(tx: SystemTransaction, week: Week, days: number): Promise<boolean> {
  const age = Math.min(days, longestDays);
  const [row] = await tx.query<{ kept: number }>(fill(countKeptJobsSql, 'jobs', week), [age, mostKept]);
  if ((row?.kept ?? 0) > mostKept) return false;
  await limitWaiting(tx);
  await tx.query(fill(forgetFinishedJobsSql, 'jobs', week), [age]);
  // Nobody gets at the table between here and the commit, so this part must be short.
  await tx.run(detachPartition, { table: 'jobs', week });
  await tx.query(fill(moveKeptJobsSql, 'jobs', week), [age]);
  await tx.run(dropPartition, { table: 'jobs', week });
  return true;
}

/** Drops the job history of a past week. */
export async function dropHistoryPartition(tx: SystemTransaction, week: Week): Promise<void> {
  await limitWaiting(tx);
  await tx.run(detachPartition, { table: 'job_history', week });
  await tx.run(dropPartition, { table: 'job_history', week });
}

/**
 * Whoever waits for a table lock makes all who come later wait too. Shorter than deadlock_timeout (1 s), so that in a
 * deadlock it is maintenance that gives way and not a request.
 */
const limitWaiting = (tx: SystemTransaction) => tx.run(waitBriefly);

/** Puts the partition's name into a statement: identifiers cannot be parameters. */
function fill(sql: string, table: PartitionedTable, week: Week): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(week)) throw new Error(`Not a week: ${week}`);
  const partition = `${table}_p${week.replaceAll('-', '')}`;
  return sql.replaceAll('week_partition', partition).replaceAll('default_partition', `${table}_other`);
}
