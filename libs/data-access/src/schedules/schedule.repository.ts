import { maxDocumentBytesPerStatement } from '@spooled/domain';
import { readClock } from '../database/clock.js';
import type { Database } from '../database/database.js';
import { deleteInParts } from '../database/delete-in-parts.js';
import { pageParameters, type TimedPage } from '../database/list-position.js';
import type { TenantParameters } from '../database/prepared-query.js';
import { type Searched, searchSizedPage } from '../database/search-in-parts.js';
import { oneOf } from '../database/stored-values.js';
import type { TenantTransaction } from '../database/transactions.js';
import { countActiveSchedules, lockActiveSchedules } from './count-active-schedules.queries.js';
import { deleteRunsOfSchedule } from './delete-runs-of-schedule.queries.js';
import type { FindScheduleResult } from './find-schedule.queries.js';
import type { InsertScheduleParams } from './insert-schedule.queries.js';
import { listScheduleRuns as listScheduleRunsSql, type ListScheduleRunsResult } from './list-schedule-runs.queries.js';
import { findSchedulesEnd, listSchedules as listSchedulesSql } from './list-schedules.queries.js';

/** A locked schedule, so that its previous queue does not count while it is moved to another queue. */
export { deactivateSchedule } from './deactivate-schedule.queries.js';
export { deleteSchedule } from './delete-schedule.queries.js';
/** `payload_template`, `tags` and `metadata` are JSON text; `next_run_at` is null while the schedule is paused, and when its expression has no further match. */
export { findSchedule, type FindScheduleResult as ScheduleRow, lockSchedule } from './find-schedule.queries.js';
export { insertSchedule } from './insert-schedule.queries.js';
export { updateSchedule } from './update-schedule.queries.js';

const runSources = ['schedule', 'manual'] as const;
const runStatuses = ['pending', 'running', 'completed', 'failed'] as const;

export interface ScheduleRunRow extends ListScheduleRunsResult {
  status: (typeof runStatuses)[number];
  source: (typeof runSources)[number];
}

/** The fields of a schedule that callers set. `payload_template`, `tags` and `metadata` are JSON text, `settings` the `JobSettings` of its jobs. */
export type ScheduleFields = Omit<TenantParameters<InsertScheduleParams>, 'id' | 'next_run_at'>;

export interface ScheduleFilter extends TimedPage {
  /** null = all queues; an empty list matches nothing. */
  queues: string[] | null;
  active: boolean | null;
}

/**
 * Schedules, newest first, searched for in parts. A page ends after 8 MB of templates, tags, metadata and settings.
 * @param tx with `repeatableRead`, because several statements find the page
 */
export function listSchedules(
  tx: TenantTransaction,
  { queues, active, ...page }: ScheduleFilter,
): Promise<Searched<FindScheduleResult>> {
  return searchSizedPage(
    page,
    { isSelective: queues !== null || active !== null },
    {
      find: (part) => tx.run(listSchedulesSql, { queues, active, maxBytes: maxDocumentBytesPerStatement, ...part }),
      findEnd: (part) => tx.run(findSchedulesEnd, part),
    },
  );
}

/** Deletes the runs of a schedule, of which one that fires each second has millions. */
export const deleteScheduleRuns = (database: Database, organizationId: string, scheduleId: string): Promise<void> =>
  deleteInParts(database, organizationId, (tx, limit) => tx.one(deleteRunsOfSchedule, { scheduleId, limit }));

export async function listScheduleRuns(
  tx: TenantTransaction,
  scheduleId: string,
  page: TimedPage,
): Promise<ScheduleRunRow[]> {
  const schedule = { scheduleId };
  const rows = await tx.run(listScheduleRunsSql, { ...schedule, ...pageParameters(page) });
  return rows.map((row) => ({
    ...row,
    status: oneOf(runStatuses, row.status),
    source: oneOf(runSources, row.source),
  }));
}

/**
 * Counts the active schedules under a lock that prevents activations until the transaction ends, so that the plan's limit
 * is exact. Lock order: call this before `checkQueueQuota`.
 */
export async function lockAndCountActiveSchedules(tx: TenantTransaction): Promise<number> {
  const [, rows] = await Promise.all([tx.run(lockActiveSchedules), tx.run(countActiveSchedules)]);
  return rows[0]!.active;
}

/** The time that decides when schedules are due. */
export const readDatabaseTime = async (tx: TenantTransaction): Promise<Date> => new Date(await readClock(tx));
