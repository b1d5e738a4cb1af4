import type { SystemTransaction } from '../database/transactions.js';
import findDueSchedulesSql from './find-due-schedules.sql';

/** A schedule whose time has come. Documents are JSON text. */
export interface DueScheduleRow {
  id: string;
  organization_id: string;
  cron_expression: string;
  timezone: string;
  queue_name: string;
  payload: string;
  priority: number;
  max_retries: number;
  timeout_seconds: number;
  tags: string | null;
  due_at: string;
  changed_at: string;
  plan_tier: string;
  custom_limits: unknown;
  /** The database's clock. */
  now: string;
}

/** At most `limit` schedules that are due, the longest overdue first; also paused organizations' ones are left out. */
export const findDueSchedules = (tx: SystemTransaction, limit: number): Promise<DueScheduleRow[]> =>
  tx.query<DueScheduleRow & Record<string, unknown>>(findDueSchedulesSql, [limit]);

/** Milliseconds until the next schedule is due (negative when overdue), by the database's clock; null when none is armed. */
export async function msUntilNextSchedule(tx: SystemTransaction): Promise<number | null> {
  const [row] = await tx.query<{ ms: number | null }>(
    'SELECT (extract(epoch FROM min(next_run_at) - clock_timestamp()) * 1000)::float8 AS ms FROM schedules WHERE is_active',
  );
  return row!.ms;
}
