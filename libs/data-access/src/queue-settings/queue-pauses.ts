import type { TenantTransaction } from '../database/transactions.js';
import { findPause, pauseQueue as pauseQueueSql } from './pause-queue.queries.js';
import { listPauseChanges as listPauseChangesSql } from './list-pauses.queries.js';
import { columnsOf, lockQueueSettings, type QueueDefaults, recordDeliveries } from './queue-settings.js';
import { resumeQueue as resumeQueueSql } from './resume-queue.queries.js';

export { findExpiredPauses } from './expired-pauses.queries.js';
/** `paused_at` is a member of the settings, which callers may overwrite; `paused_by` is an actor as one line. */
export { findPause, type FindPauseResult as PauseRow } from './pause-queue.queries.js';

export interface NewPause {
  reason: string | null;
  /** Null: until the queue is resumed. */
  expiresAt: string | null;
}

/** `changed` is false when the queue was already paused; `pausedAt` is then the earlier time. */
export async function pauseQueue(
  tx: TenantTransaction,
  name: string,
  pause: NewPause,
  defaults: QueueDefaults,
): Promise<{ pausedAt: string; expiresAt: string | null; changed: boolean }> {
  await lockQueueSettings(tx);
  const row = await tx.one(pauseQueueSql, { queueName: name, ...pause, ...columnsOf(defaults) });
  const { paused_at: pausedAt, pause_expires_at: expiresAt, changed } = row;
  return { pausedAt, expiresAt, changed };
}

/** A time in which a queue was paused; null = before the first, and until now. */
export interface PausePeriod {
  from: string | null;
  to: string | null;
}

/** Pauses and resumptions of an organization in which those of a queue are looked for. */
const scannedForPauses = 10_000;

/** When a queue was paused since a time, as far as the audit log shows; the oldest first. */
export async function listPauses(tx: TenantTransaction, name: string, since: string): Promise<PausePeriod[]> {
  const queue = { queueName: name };
  const changes = await tx.run(listPauseChangesSql, { ...queue, since, rows: scannedForPauses });
  if (changes.length === 0) return (await tx.first(findPause, queue)) ? [{ from: null, to: null }] : [];
  const periods: PausePeriod[] = changes[0]!.paused ? [] : [{ from: null, to: changes[0]!.at }];
  changes.forEach(({ at, paused }, i) => {
    if (paused) periods.push({ from: at, to: changes[i + 1]?.at ?? null });
  });
  return periods;
}

export interface ResumedQueue {
  /** 0 if it was not paused. */
  pausedSeconds: number;
  /** Whether it was paused. */
  changed: boolean;
  resumedAt: string;
  /** Ids of the recorded webhook deliveries. */
  deliveries: string[];
}

/**
 * Resumes a queue and records the webhook deliveries of that. Undefined for a queue without settings, and with `onlyExpired` for one
 * that has no pause that has expired.
 */
export async function resumeQueue(
  tx: TenantTransaction,
  name: string,
  { onlyExpired = false }: { onlyExpired?: boolean } = {},
): Promise<ResumedQueue | undefined> {
  const row = await tx.first(resumeQueueSql, { queueName: name, onlyExpired });
  if (!row) return undefined;
  const { changed, resumed_at: resumedAt } = row;
  const pausedSeconds = secondsBetween(row.paused_at, resumedAt);
  if (!changed) return { pausedSeconds, changed, resumedAt, deliveries: [] };
  const data = { queue_name: name, paused_duration_secs: pausedSeconds };
  return { pausedSeconds, changed, resumedAt, deliveries: await recordDeliveries(tx, 'queue.resumed', data) };
}

/** Whole seconds of a pause; 0 if its start is unknown, or was overwritten by the caller's settings. */
export function secondsBetween(from: string | null, to: string): number {
  const seconds = from === null ? 0 : Math.floor((Date.parse(to) - Date.parse(from)) / 1000);
  return Number.isNaN(seconds) ? 0 : Math.max(0, seconds);
}
