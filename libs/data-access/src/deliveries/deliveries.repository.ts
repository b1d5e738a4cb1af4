import type { SystemTransaction, TenantTransaction } from '../database/transactions.js';
import { findOverdue as findOverdueSql } from './find-overdue.queries.js';
import { recordAttempt as recordAttemptSql } from './record-attempt.queries.js';
import { claimDelivery as claimDeliverySql, type ClaimDeliveryResult } from './claim-delivery.queries.js';

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
  /** Attempts made so far. */
  attempts: number;
  createdAt: string;
  /** null when it cannot be sent: the webhook is disabled, or the job with its secret was deleted. */
  target: { url: string; secret: string | null; format: string } | null;
  traceparent: string | null;
  claimedUntil: string;
}

export type DeliveryClaim =
  | { kind: 'claimed'; delivery: ClaimedDelivery }
  /** Pending, but not due yet or claimed by another process. */
  | { kind: 'later'; dueInMs: number }
  /** Delivered, permanently failed or deleted. */
  | { kind: 'finished' };

/** Claims a due delivery for one attempt; `claimSeconds` must be longer than an attempt may take. */
export async function claimDelivery(tx: TenantTransaction, id: string, claimSeconds: number): Promise<DeliveryClaim> {
  const [row] = await tx.run(claimDeliverySql, { id, claimSeconds });
  if (!row || row.status !== 'pending') return { kind: 'finished' };
  // Due, but not claimed: another process claimed it at the same moment.
  if (row.claimed_until === null) return { kind: 'later', dueInMs: row.due_in_ms || claimSeconds * 1000 };
  return { kind: 'claimed', delivery: toClaimedDelivery(row, row.claimed_until, tx.organizationId) };
}

function toClaimedDelivery(row: ClaimDeliveryResult, claimedUntil: string, organizationId: string): ClaimedDelivery {
  const sendable = row.enabled && row.complete && row.url !== null;
  return {
    id: row.id,
    organizationId,
    webhookId: row.webhook_id,
    jobId: row.job_id,
    event: row.event,
    data: row.payload,
    attempts: row.attempts,
    createdAt: row.created_at,
    target: sendable ? { url: row.url!, secret: row.secret, format: row.format } : null,
    traceparent: row.traceparent,
    claimedUntil,
  };
}

export interface AttemptRecord {
  status: DeliveryStatus;
  statusCode: number | null;
  responseBody: string | null;
  error: string | null;
  /** Delay of the next attempt, when `status` is pending. */
  waitMs: number;
  /** false: nothing was sent, so it counts neither as an attempt nor as a failure of the webhook. */
  sent: boolean;
  /** Consecutive failed deliveries after which the webhook is disabled. */
  disableAfter: number;
}

/** Records an attempt. `recorded` is false when the claim had expired and another process has claimed the delivery. */
export async function recordAttempt(
  tx: TenantTransaction,
  { id, claimedUntil }: Pick<ClaimedDelivery, 'id' | 'claimedUntil'>,
  attempt: AttemptRecord,
): Promise<{ recorded: boolean; autoDisabled: boolean }> {
  const { status, statusCode, responseBody, error, waitMs, sent, disableAfter } = attempt;
  const [row] = await tx.run(recordAttemptSql, {
    id,
    claimedUntil,
    status,
    statusCode,
    responseBody: withoutNul(responseBody),
    error: withoutNul(error),
    waitSeconds: waitMs / 1000,
    sent,
    disableAfter,
  });
  return { recorded: row?.recorded === true, autoDisabled: row?.auto_disabled === true };
}

/** Replaces NUL, which a receiver may send and a text column cannot store. */
const withoutNul = (text: string | null): string | null => text?.replaceAll('\0', '\u{fffd}') ?? null;

export interface OverdueDelivery {
  id: string;
  organizationId: string;
  nextAttemptAt: string;
}

/** The `after` of the first page of `findOverdueDeliveries`. */
export const beforeFirstOverdue: OverdueDelivery = {
  id: '00000000-0000-0000-0000-000000000000',
  organizationId: '',
  nextAttemptAt: '-infinity',
};

/** The next page of deliveries that have been overdue for at least `bySeconds`, after the position `after`. */
export async function findOverdueDeliveries(
  tx: SystemTransaction,
  { bySeconds, after, limit }: { bySeconds: number; after: OverdueDelivery; limit: number },
): Promise<OverdueDelivery[]> {
  const rows = await tx.run(findOverdueSql, {
    bySeconds,
    afterTime: after.nextAttemptAt,
    afterId: after.id,
    limit,
  });
  return rows.map((row) => ({ id: row.id, organizationId: row.organization_id, nextAttemptAt: row.next_attempt_at }));
}
