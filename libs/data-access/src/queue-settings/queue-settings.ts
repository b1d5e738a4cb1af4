import { rethrowQuotaError } from '../database/quota-error.js';
import { asObject } from '../database/stored-values.js';
import type { TenantTransaction } from '../database/transactions.js';
import { decideDeliveries as decideDeliveriesSql } from './decide-deliveries.queries.js';
import { deleteQueueSettings as deleteQueueSettingsSql } from './delete-queue-settings.queries.js';
import { findQueueRate as findQueueRateSql } from './find-queue-rate.queries.js';
import { findQueue as findQueueSql, type FindQueueResult } from './find-queue.queries.js';
import { listQueues as listQueuesSql, type ListQueuesResult } from './list-queues.queries.js';
import { measureOldestPending as measureOldestPendingSql } from './measure-oldest-pending.queries.js';
import { measureQueue as measureQueueSql, type MeasureQueueResult } from './measure-queue.queries.js';
import { pauseQueue as pauseQueueSql } from './pause-queue.queries.js';
import { reserveQueue as reserveQueueSql } from './reserve-queue.queries.js';
import { resumeQueue as resumeQueueSql } from './resume-queue.queries.js';
import { saveQueueSettings as saveQueueSettingsSql } from './save-queue-settings.queries.js';

/** What holds for a queue that has no settings of its own. */
export interface QueueDefaults {
  maxRetries: number;
  /** Seconds. */
  timeoutSeconds: number;
}

export type { ListQueuesResult as QueueSummaryRow, MeasureQueueResult as QueueMeasuresRow };

export interface QueueRow extends FindQueueResult {
  settings: Record<string, unknown>;
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

const columnsOf = ({ maxRetries, timeoutSeconds }: QueueDefaults) => ({
  defaultRetries: maxRetries,
  defaultTimeout: timeoutSeconds,
});

/** At most 100 queues by name. */
export function listQueues(
  tx: TenantTransaction,
  queues: string[] | null,
  defaults: QueueDefaults,
): Promise<ListQueuesResult[]> {
  return tx.run(listQueuesSql, { organizationId: tx.organizationId, queues, ...columnsOf(defaults) });
}

/** The queue, or undefined when it has neither settings nor ever a job. */
export async function findQueue(
  tx: TenantTransaction,
  name: string,
  defaults: QueueDefaults,
): Promise<QueueRow | undefined> {
  const queue = { organizationId: tx.organizationId, queueName: name };
  const [row] = await tx.run(findQueueSql, { ...queue, ...columnsOf(defaults) });
  return row && { ...row, settings: asObject(row.settings) };
}

/** Jobs a second that the queue may give out; null = as many as there are. */
export async function findQueueRate(tx: TenantTransaction, name: string): Promise<number | null> {
  const [row] = await tx.run(findQueueRateSql, { queueName: name });
  return row?.rate_limit ?? null;
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
  const [row] = await tx.run(saveQueueSettingsSql, {
    organizationId: tx.organizationId,
    queueName: name,
    ...change,
    settings: change.settings && JSON.stringify(change.settings),
    ...columnsOf(defaults),
  });
  const { settings_bytes, was_enabled, was_paused_at, saved_at, ...queue } = row!;
  return {
    queue: { ...queue, settings: asObject(queue.settings) },
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
  const queue = { organizationId: tx.organizationId, queueName: name };
  const [row] = await tx.run(pauseQueueSql, { ...queue, reason, ...columnsOf(defaults) });
  return { pausedAt: row!.paused_at, changed: row!.changed };
}

/** Undefined for a queue without settings. `pausedAt` is null when the queue was not paused. */
export async function resumeQueue(
  tx: TenantTransaction,
  name: string,
): Promise<{ pausedAt: string | null; resumedAt: string; changed: boolean } | undefined> {
  const [row] = await tx.run(resumeQueueSql, { organizationId: tx.organizationId, queueName: name });
  return row && { pausedAt: row.paused_at, resumedAt: row.resumed_at, changed: row.changed };
}

export async function measureQueue(tx: TenantTransaction, name: string): Promise<MeasureQueueResult> {
  const [row] = await tx.run(measureQueueSql, { organizationId: tx.organizationId, queueName: name });
  return row!;
}

/** Milliseconds that the oldest pending job of a queue has waited since its creation; 0 when none is pending. */
export async function measureOldestPending(tx: TenantTransaction, name: string): Promise<number> {
  const [row] = await tx.run(measureOldestPendingSql, { organizationId: tx.organizationId, queueName: name });
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
    .run(reserveQueueSql, { organizationId: tx.organizationId, quota, queueName: name })
    .catch((error: unknown) => rethrowQuotaError(error, cap));
}

/** Removes a queue's own settings; its name and its jobs belong to libs/queue. */
export async function deleteQueueSettings(tx: TenantTransaction, name: string): Promise<void> {
  await tx.run(deleteQueueSettingsSql, { organizationId: tx.organizationId, queueName: name });
}

/** Writes one delivery for each webhook that wants the event, in the transaction of the change; returns their ids. */
export async function decideDeliveries(
  tx: TenantTransaction,
  event: 'queue.paused' | 'queue.resumed',
  data: Record<string, unknown>,
): Promise<string[]> {
  const rows = await tx.run(decideDeliveriesSql, {
    organizationId: tx.organizationId,
    event,
    data: JSON.stringify(data),
  });
  return rows.map(({ id }) => id);
}
