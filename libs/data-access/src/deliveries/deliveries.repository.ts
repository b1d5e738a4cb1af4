import { probeWaits } from '@spooled/domain';
import type { SystemTransaction, TenantTransaction } from '../database/transactions.js';
import { findOverdue as findOverdueSql } from './find-overdue.queries.js';
import { recordAttempt as recordAttemptSql } from './record-attempt.queries.js';
import { claimDelivery as claimDeliverySql } from './claim-delivery.queries.js';

export type DeliveryStatus = 'pending' | 'success' | 'failed';

/** A delivery that is reserved for one attempt until `claimedUntil`. */
export interface ClaimedDelivery {
  id: string;
  organizationId: string;
  /** null: the completion webhook of one job. */
  webhookId: string | null;
  jobId: string | null;
  event: string;
  /** The event's data, JSON text. */
  data: string;
  status: DeliveryStatus;
  /** Attempts made so far. */
  attempts: number;
  ageSeconds: number;
  /** How long its webhook has its deliveries retried; null = the default. */
  retrySeconds: number | null;
  /** The other deliveries of its webhook are held, and this one is sent to see whether the receiver responds again. */
  isProbe: boolean;
  createdAt: string;
  /** null when it is not sent, because its webhook is disabled. */
  target: { url: string; secret: string | null; previousSecret: string | null; format: string } | null;
  traceparent: string | null;
  claimedUntil: string;
}

export type DeliveryClaim =
  | { kind: 'claimed'; delivery: ClaimedDelivery }
  /** Not due yet, or claimed by another process. */
  | { kind: 'later'; dueInMs: number }
  /** Waits until the receiver of its webhook responds again. */
  | { kind: 'held' }
  /** Delivered, permanently failed or deleted. */
  | { kind: 'finished' };

/** Claims a due delivery for one attempt; `claimSeconds` must be longer than an attempt may take. */
export async function claimDelivery(tx: TenantTransaction, id: string, claimSeconds: number): Promise<DeliveryClaim> {
  const row = await tx.first(claimDeliverySql, { id, claimSeconds });
  if (!row || row.dueInMs === null) return { kind: 'finished' };
  const { dueInMs, isHeld, claimedUntil, url, secret, previousSecret, format, enabled, ...delivery } = row;
  if (isHeld) return { kind: 'held' };
  // Due, but not claimed: another process claimed it at the same moment.
  if (claimedUntil === null) return { kind: 'later', dueInMs: dueInMs || claimSeconds * 1000 };
  const target = enabled ? { url, secret, previousSecret, format } : null;
  const { organizationId } = tx;
  const status = delivery.status as DeliveryStatus;
  return { kind: 'claimed', delivery: { ...delivery, status, organizationId, target, claimedUntil } };
}

/** What is kept of one attempt; the caller has bounded it. */
export interface AttemptEntry {
  latency_ms: number;
  status_code: number | null;
  response_headers: Record<string, string>;
  response_body: string | null;
  error: string | null;
  /** Of an attempt without a response. */
  error_code: string | null;
}

export interface AttemptRecord {
  /** null when nothing was sent. */
  entry: AttemptEntry | null;
  status: DeliveryStatus;
  statusCode: number | null;
  responseBody: string | null;
  error: string | null;
  /** Delay of the next attempt; null = there is none. */
  waitMs: number | null;
  /** false: nothing was sent, so it counts neither as an attempt nor as a failure of the webhook. */
  sent: boolean;
  /** Whether the delivery has had its first attempts. */
  isLate: boolean;
  /** How long a webhook fails until a late attempt disables it. */
  disableAfterSeconds: number;
  /** Deliveries that fail in a row before the others are held. */
  holdAfter: number;
}

/** Records an attempt. `recorded` is false when the claim had expired and another process has claimed the delivery. */
export async function recordAttempt(
  tx: TenantTransaction,
  { id, claimedUntil }: Pick<ClaimedDelivery, 'id' | 'claimedUntil'>,
  attempt: AttemptRecord,
): Promise<{ recorded: boolean; autoDisabled: boolean }> {
  const { entry, statusCode, responseBody, error, waitMs, ...rest } = attempt;
  const row = await tx.first(recordAttemptSql, {
    id,
    claimedUntil,
    ...rest,
    probeSeconds: probeWaits.firstSeconds,
    entry: JSON.stringify(entry ?? {}),
    statusCode,
    responseBody: withoutNul(responseBody),
    error: withoutNul(error),
    waitSeconds: waitMs === null ? null : waitMs / 1000,
  });
  return { recorded: row?.recorded === true, autoDisabled: row?.auto_disabled === true };
}

/** Replaces NUL, which a receiver may send and a text column cannot store. */
const withoutNul = (text: string | null): string | null => text?.replaceAll('\0', '\u{fffd}') ?? null;

/** Before the first organization: where `findOverdueDeliveries` begins. */
export const firstOrganization = '00000000-0000-0000-0000-000000000000';

/** Deliveries that have been overdue for `bySeconds`; organizations take turns. */
export interface OverdueDeliveries {
  deliveries: { id: string; organizationId: string }[];
  /** Where the next call begins. */
  next: string;
}

/** At most `limit` overdue deliveries of the next `organizations` after `after` with such. */
export async function findOverdueDeliveries(
  tx: SystemTransaction,
  { after, ...page }: { bySeconds: number; after: string; organizations: number; limit: number },
): Promise<OverdueDeliveries> {
  const rows = await tx.run(findOverdueSql, { ...page, afterOrganization: after });
  const deliveries = rows.map(({ id, organization_id: organizationId }) => ({ id, organizationId }));
  const last = deliveries
    .map(({ organizationId }) => organizationId)
    .toSorted()
    .at(-1);
  return { deliveries, next: last === undefined || rows[0]!.is_last ? firstOrganization : last };
}
