import { maxDocumentBytesPerStatement } from '@spooled/domain';
import type { SystemTransaction } from '../database/transactions.js';
import { forceIndexPlans } from '../database/force-index-plans.queries.js';
import { findDueSchedules as findDueSchedulesSql, type FindDueSchedulesResult } from './find-due-schedules.queries.js';

/** A due schedule. JSON columns are text; `now` is the database's time. */
export type { FindDueSchedulesResult as DueScheduleRow };

/**
 * At most `limit` due schedules, the longest overdue first, fewer if their payloads are large; without those of deleted organizations.
 * @param except organizations whose schedules are left for later
 */
export async function findDueSchedules(
  tx: SystemTransaction,
  limit: number,
  except: string[] = [],
): Promise<FindDueSchedulesResult[]> {
  const find = tx.run(findDueSchedulesSql, { limit, except, maxBytes: maxDocumentBytesPerStatement });
  const [, rows] = await Promise.all([tx.run(forceIndexPlans), find]);
  return rows;
}
