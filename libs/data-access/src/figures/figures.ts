import type { TenantTransaction } from '../database/transactions.js';
import {
  countLastMinute as countLastMinuteSql,
  type CountLastMinuteResult,
  countRecent as countRecentSql,
  type CountRecentResult,
} from './count-recent.queries.js';

export { findSampledDepth, type FindSampledDepthResult as SampledDepth } from './find-sampled-depth.queries.js';

/** What was counted, and in how many seconds of the period. */
export type RecentCounts = Omit<CountRecentResult, 'queue_name'>;
/** The same of the last minute that was sampled. */
export type MinuteCounts = Omit<CountLastMinuteResult, 'queue_name'>;

/** The name under which an organization as a whole is kept. */
const whole = '';

const nothing: RecentCounts = {
  created: 0,
  completed: 0,
  retried: 0,
  deadlettered: 0,
  cancelled: 0,
  wait_ms: 0,
  run_ms: 0,
  expired: 0,
  covered_seconds: 0,
};

/**
 * What each of these queues counted in the last hours, by its name; nothing is interpolated.
 * @param hours 1 to 24
 */
export async function countRecentByQueue(
  tx: TenantTransaction,
  names: string[],
  hours: number,
): Promise<Map<string, RecentCounts>> {
  const rows = await tx.run(countRecentSql, { names, hours });
  return new Map(rows.map(({ queue_name: name, ...counts }) => [name, counts]));
}

/**
 * What queues together counted in the last hours, to the minute; nothing is interpolated. `covered_seconds` is less than the period
 * where samples are missing: that of the queue of which least is known.
 * @param queues null = the whole organization
 * @param hours 1 to 24
 */
export async function countRecent(
  tx: TenantTransaction,
  queues: string[] | null,
  hours: number,
): Promise<RecentCounts> {
  const rows = [...(await countRecentByQueue(tx, queues ?? [whole], hours)).values()];
  return { ...rows.reduce(added, nothing), covered_seconds: leastOf(rows, hours) };
}

const leastOf = (rows: RecentCounts[], hours: number): number =>
  Math.min(hours * 3_600, ...rows.map((row) => row.covered_seconds));

/** What each of these queues counted in the last minute that was sampled; without those of which it is unknown. */
export async function countLastMinuteByQueue(
  tx: TenantTransaction,
  names: string[],
): Promise<Map<string, MinuteCounts>> {
  const rows = await tx.run(countLastMinuteSql, { names });
  return new Map(rows.map(({ queue_name: name, ...counts }) => [name, counts]));
}

/**
 * What queues together counted in the last minute that was sampled; null when it is unknown, such as without a scheduler.
 * @param queues null = the whole organization
 */
export async function countLastMinute(tx: TenantTransaction, queues: string[] | null): Promise<MinuteCounts | null> {
  const names = [...new Set(queues ?? [whole])];
  const rows = [...(await countLastMinuteByQueue(tx, names)).values()];
  if (rows.length < names.length || rows.length === 0) return null;
  return rows.reduce((total, row) => ({
    created: total.created + row.created,
    completed: total.completed + row.completed,
    retried: total.retried + row.retried,
    deadlettered: total.deadlettered + row.deadlettered,
    expired: total.expired + row.expired,
    // The same for all: the time of the samples.
    covered_seconds: row.covered_seconds,
  }));
}

/** The sum of what two queues counted. */
const added = (one: RecentCounts, other: RecentCounts): RecentCounts => ({
  created: one.created + other.created,
  completed: one.completed + other.completed,
  retried: one.retried + other.retried,
  deadlettered: one.deadlettered + other.deadlettered,
  cancelled: one.cancelled + other.cancelled,
  wait_ms: one.wait_ms + other.wait_ms,
  run_ms: one.run_ms + other.run_ms,
  expired: one.expired + other.expired,
  covered_seconds: 0,
});

/** The average of completed jobs in whole milliseconds; null when none completed. */
export const averageMs = (sum: number, { completed }: Pick<RecentCounts, 'completed'>): number | null =>
  completed === 0 ? null : Math.round(sum / completed);
