import type { JobStatus } from '@spooled/domain';
import type { TenantTransaction } from '../database/transactions.js';
import insertScheduleSql from './insert-schedule.sql';
import listScheduleRunsSql from './list-schedule-runs.sql';
import listSchedulesSql from './list-schedules.sql';
import updateScheduleSql from './update-schedule.sql';

/** What a caller decides about a schedule. `payload_template` is JSON text, kept as it was sent. */
export interface ScheduleFields {
  name: string;
  description: string | null;
  cron_expression: string;
  timezone: string;
  queue_name: string;
  payload_template: string;
  priority: number;
  max_retries: number;
  timeout_seconds: number;
  is_active: boolean;
  tags: unknown;
  metadata: unknown;
}

export interface ScheduleRow extends ScheduleFields {
  id: string;
  organization_id: string;
  last_run_at: string | null;
  /** Null while the schedule is paused, and when its expression matches no time any more. */
  next_run_at: string | null;
  run_count: number;
  created_at: string;
  updated_at: string;
}

export interface ScheduleRunRow {
  id: string;
  schedule_id: string;
  job_id: string | null;
  status: 'pending' | 'running' | 'completed' | 'failed';
  error_message: string | null;
  started_at: string;
  completed_at: string | null;
  /** Null when there is no job, or its record is gone. */
  job_status: JobStatus | null;
}

export interface ScheduleFilter {
  /** null = all queues; an empty list matches nothing. */
  queues: string[] | null;
  active: boolean | null;
  limit: number;
  offset: number;
}

const columns = `id, organization_id, name, description, cron_expression, timezone, queue_name, payload_template, priority,
  max_retries, timeout_seconds, is_active, last_run_at, next_run_at, run_count, tags, metadata, created_at, updated_at`;
const listSql = listSchedulesSql.replace('{columns}', columns);
const insertSql = insertScheduleSql.replace('{columns}', columns);
const updateSql = updateScheduleSql.replace('{columns}', columns);
const findSql = `SELECT ${columns} FROM schedules WHERE organization_id = $1 AND id = $2`;

type Row<T> = T & Record<string, unknown>;

export const listSchedules = (tx: TenantTransaction, filter: ScheduleFilter): Promise<ScheduleRow[]> =>
  tx.query<Row<ScheduleRow>>(listSql, [tx.organizationId, filter.queues, filter.active, filter.limit, filter.offset]);

export async function findSchedule(tx: TenantTransaction, id: string): Promise<ScheduleRow | undefined> {
  const [row] = await tx.query<Row<ScheduleRow>>(findSql, [tx.organizationId, id]);
  return row;
}

/**
 * As `findSchedule`, and holds the schedule until the transaction ends. Whoever locks a plan's room as well locks the
 * schedule first, as the scheduler does when it fires.
 */
export async function lockSchedule(tx: TenantTransaction, id: string): Promise<ScheduleRow | undefined> {
  const [row] = await tx.query<Row<ScheduleRow>>(`${findSql} FOR NO KEY UPDATE`, [tx.organizationId, id]);
  return row;
}

export const insertSchedule = (
  tx: TenantTransaction,
  id: string,
  fields: ScheduleFields,
  nextRunAt: Date | null,
): Promise<ScheduleRow> => write(tx, insertSql, id, fields, nextRunAt?.toISOString() ?? null);

/** The row must be locked by this transaction. */
export const updateSchedule = (
  tx: TenantTransaction,
  id: string,
  fields: ScheduleFields,
  nextRunAt: string | null,
): Promise<ScheduleRow> => write(tx, updateSql, id, fields, nextRunAt);

/** Its history goes with it. */
export async function deleteSchedule(tx: TenantTransaction, id: string): Promise<void> {
  await tx.query('DELETE FROM schedules WHERE organization_id = $1 AND id = $2', [tx.organizationId, id]);
}

export const listScheduleRuns = (
  tx: TenantTransaction,
  scheduleId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<ScheduleRunRow[]> =>
  tx.query<Row<ScheduleRunRow>>(listScheduleRunsSql, [tx.organizationId, scheduleId, limit, offset]);

/**
 * Counts the active schedules so that nobody else can activate one before this transaction ends: the plan's cap holds
 * exactly. Callers that need room for a queue too ask for it after this.
 */
export async function lockAndCountActiveSchedules(tx: TenantTransaction): Promise<number> {
  const [, rows] = await Promise.all([
    tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${tx.organizationId}:schedules`]),
    tx.query<{ active: number }>('SELECT count(*) AS active FROM schedules WHERE organization_id = $1 AND is_active', [
      tx.organizationId,
    ]),
  ]);
  return rows[0]!.active;
}

/** Stops a locked schedule within its transaction, so that its queue does not count while it moves to another. */
export async function deactivateSchedule(tx: TenantTransaction, id: string): Promise<void> {
  await tx.query('UPDATE schedules SET is_active = false WHERE organization_id = $1 AND id = $2', [
    tx.organizationId,
    id,
  ]);
}

/** The clock by which schedules fire. */
export async function databaseTime(tx: TenantTransaction): Promise<Date> {
  const [row] = await tx.query<{ now: string }>('SELECT clock_timestamp() AS now');
  return new Date(row!.now);
}

async function write(
  tx: TenantTransaction,
  sql: string,
  id: string,
  fields: ScheduleFields,
  nextRunAt: string | null,
): Promise<ScheduleRow> {
  const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value));
  const [row] = await tx.query<Row<ScheduleRow>>(sql, [
    tx.organizationId,
    id,
    fields.name,
    fields.description,
    fields.cron_expression,
    fields.timezone,
    fields.queue_name,
    fields.payload_template,
    fields.priority,
    fields.max_retries,
    fields.timeout_seconds,
    fields.is_active,
    json(fields.tags),
    json(fields.metadata),
    nextRunAt,
  ]);
  return row!;
}
