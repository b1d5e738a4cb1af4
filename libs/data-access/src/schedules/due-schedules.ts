import type { SystemTransaction } from '../database/transactions.js';
import { findDueSchedules as findDueSchedulesSql, type FindDueSchedulesResult } from './find-due-schedules.queries.js';
import { msUntilNextSchedule as msUntilNextScheduleSql } from './next-schedule.queries.js';

/** A schedule whose time has come. Documents are JSON text; `now` is the database's clock. */
export type { FindDueSchedulesResult as DueScheduleRow };

/** At most `limit` schedules that are due, the longest overdue first; also paused organizations' ones are left out. */
export const findDueSchedules = (tx: SystemTransaction, limit: number): Promise<FindDueSchedulesResult[]> =>
  tx.run(findDueSchedulesSql, { limit });

/** Milliseconds until the next schedule is due (negative when overdue), by the database's clock; null when none is armed. */
export async function msUntilNextSchedule(tx: SystemTransaction): Promise<number | null> {
  const [row] = await tx.run(msUntilNextScheduleSql);
  return row!.ms;
}
