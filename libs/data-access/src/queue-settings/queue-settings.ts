import { rethrowQuota } from '../database/quota-error.js';
import type { TenantTransaction } from '../database/transactions.js';
import findQueueRateSql from './find-queue-rate.sql';
import findQueueSql from './find-queue.sql';
import listQueuesSql from './list-queues.sql';
import measureOldestPendingSql from './measure-oldest-pending.sql';
import measureQueueSql from './measure-queue.sql';
import pauseQueueSql from './pause-queue.sql';
import resumeQueueSql from './resume-queue.sql';
import saveQueueSettingsSql from './save-queue-settings.sql';

/** What holds for a queue that has no settings of its own. */
export interface QueueDefaults {
  maxRetries: number;
  /** Seconds. */
  timeoutSeconds: number;
}

export interface QueueSummaryRow {
  queue_name: string;
  max_retries: number;
  default_timeout: number;
  rate_limit: number | null;
  enabled: boolean;
}

export interface QueueRow extends QueueSummaryRow {
  id: string;
  organization_id: string;
  settings: Record<string, unknown>;
  created_at: string;
  updated_at: string;
}

export interface QueueMeasuresRow {
  queue_name: string;
  pending_jobs: number;
  processing_jobs: number;
  completed_jobs_24h: number;
  failed_jobs_24h: number;
  avg_processing_time_ms: number | null;
  max_job_age_seconds: number | null;
  active_workers: number;
}

/** Null keeps what is there. */
export interface QueueSettingsChange {
  maxRetries: number | null;
  /** Seconds. */
  timeoutSeconds: number | null;
  rateLimit: number | null;
  enabled: boolean | null;
  settings: Record<string, unknown> | null;
}

const rfc3339Now = `to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
const saveSql = saveQueueSettingsSql.replaceAll('{now}', rfc3339Now);
const pauseSql = pauseQueueSql.replaceAll('{now}', rfc3339Now);

/** At most 100 queues by name. */
export function listQueues(
  tx: TenantTransaction,
  queues: string[] | null,
  defaults: QueueDefaults,
): Promise<QueueSummaryRow[]> {
  return tx.query(listQueuesSql, [tx.organizationId, queues, defaults.maxRetries, defaults.timeoutSeconds]);
}

/** The queue, or undefined when it has neither settings nor ever a job. */
export async function findQueue(
  tx: TenantTransaction,
  name: string,
  defaults: QueueDefaults,
): Promise<QueueRow | undefined> {
  const parameters = [tx.organizationId, name, defaults.maxRetries, defaults.timeoutSeconds];
  const [row] = await tx.query<QueueRow>(findQueueSql, parameters);
  return row;
}

/** Jobs a second that the queue may give out; null = as many as there are. */
export async function findQueueRate(tx: TenantTransaction, name: string): Promise<number | null> {
  const [row] = await tx.query<{ rate_limit: number | null }>(findQueueRateSql, [name]);
  return row?.rate_limit ?? null;
}

interface SavedRow extends QueueRow {
  settings_bytes: number;
  was_enabled: boolean;
  was_paused_at: string | null;
  saved_at: string;
}

export interface SavedQueue {
  queue: QueueRow;
  /** What the merged settings take as text; the caller refuses too much by throwing. */
  settingsBytes: number;
  /** How it was before; a queue without settings is enabled. */
  wasEnabled: boolean;
  wasPausedAt: string | null;
  savedAt: string;
}

export async function saveQueueSettings(
  tx: TenantTransaction,
  name: string,
  change: QueueSettingsChange,
  defaults: QueueDefaults,
): Promise<SavedQueue> {
  const [row] = await tx.query<SavedRow>(saveSql, [
    tx.organizationId,
    name,
    change.maxRetries,
    change.timeoutSeconds,
    change.rateLimit,
    change.enabled,
    change.settings && JSON.stringify(change.settings),
    defaults.maxRetries,
    defaults.timeoutSeconds,
  ]);
  const { settings_bytes, was_enabled, was_paused_at, saved_at, ...queue } = row!;
  return {
    queue,
    settingsBytes: settings_bytes,
    wasEnabled: was_enabled,
    wasPausedAt: was_paused_at,
    savedAt: saved_at,
  };
}

/** `changed` is false when the queue was paused already; `pausedAt` is then the earlier time. */
export async function pauseQueue(
  tx: TenantTransaction,
  name: string,
  reason: string | null,
  defaults: QueueDefaults,
): Promise<{ pausedAt: string; changed: boolean }> {
  const parameters = [tx.organizationId, name, reason, defaults.maxRetries, defaults.timeoutSeconds];
  const [row] = await tx.query<{ paused_at: string; changed: boolean }>(pauseSql, parameters);
  return { pausedAt: row!.paused_at, changed: row!.changed };
}

/** Undefined for a queue without settings. `pausedAt` is null when the queue was not paused. */
export async function resumeQueue(
  tx: TenantTransaction,
  name: string,
): Promise<{ pausedAt: string | null; resumedAt: string; changed: boolean } | undefined> {
  const [row] = await tx.query<{ paused_at: string | null; resumed_at: string; changed: boolean }>(resumeQueueSql, [
    tx.organizationId,
    name,
  ]);
  return row && { pausedAt: row.paused_at, resumedAt: row.resumed_at, changed: row.changed };
}

export async function measureQueue(tx: TenantTransaction, name: string): Promise<QueueMeasuresRow> {
  const [row] = await tx.query<QueueMeasuresRow>(measureQueueSql, [tx.organizationId, name]);
  return row!;
}

/** Milliseconds that the oldest pending job of a queue has waited since its creation; 0 when none is pending. */
export async function measureOldestPending(tx: TenantTransaction, name: string): Promise<number> {
  const [row] = await tx.query<{ age_ms: number }>(measureOldestPendingSql, [tx.organizationId, name]);
  return row!.age_ms;
}

/** The cap on queues, and what to say about it. */
export interface QueueCap {
  maxQueues: number;
  plan: string;
  upgradeTo: string | null;
}

/**
 * Makes sure that the plan has room for the queue, unless it is known already; holds the lock that enqueues take until the
 * transaction ends, so that concurrent requests never overshoot.
 * @throws SpooledError 429 QUOTA_EXCEEDED
 */
export async function reserveQueue(tx: TenantTransaction, name: string, cap: QueueCap): Promise<void> {
  const quota = JSON.stringify({ maxQueues: cap.maxQueues });
  await tx
    .query('SELECT check_job_quota_v1($1, $2, 0, ARRAY[$3::text])', [tx.organizationId, quota, name])
    .catch((error: unknown) => rethrowQuota(error, cap));
}

/** Removes a queue's own settings; its name and its jobs belong to libs/queue. */
export async function deleteQueueSettings(tx: TenantTransaction, name: string): Promise<void> {
  await tx.query('DELETE FROM queue_config WHERE organization_id = $1 AND queue_name = $2', [tx.organizationId, name]);
}

/** Writes one delivery for each webhook that wants the event, in the transaction of the change; returns their ids. */
export async function decideDeliveries(
  tx: TenantTransaction,
  event: 'queue.paused' | 'queue.resumed',
  data: Record<string, unknown>,
): Promise<string[]> {
  const [row] = await tx.query<{ recorded: { id: string }[] }>(
    'SELECT record_deliveries_v1($1, $2, ARRAY[NULL::uuid], ARRAY[$3::json]) AS recorded',
    [tx.organizationId, event, JSON.stringify(data)],
  );
  return row!.recorded.map(({ id }) => id);
}
