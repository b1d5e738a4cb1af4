import type { SystemTransaction, TenantTransaction } from '../database/transactions.js';
import { findOverdue as findOverdueSql } from './find-overdue.queries.js';
import { recordAttempt as recordAttemptSql } from './record-attempt.queries.js';
import { takeDelivery as takeDeliverySql, type TakeDeliveryResult } from './take-delivery.queries.js';

export type DeliveryStatus = 'pending' | 'success' | 'failed';

/** A delivery that is ours until `heldUntil`. */
export interface HeldDelivery {
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
  /** null when nothing can be sent any more: the webhook is switched off, or the job with its secret is gone. */
  target: { url: string; secret: string | null } | null;
  traceparent: string | null;
  heldUntil: string;
}

export type TakenDelivery =
  | { kind: 'held'; delivery: HeldDelivery }
  /** Pending, but not due yet or in another process's hands. */
  | { kind: 'later'; dueInMs: number }
  /** Delivered, given up or deleted. */
  | { kind: 'over' };

/** Takes a due delivery for one attempt; `holdSeconds` must be longer than an attempt may take. */
export async function takeDelivery(tx: TenantTransaction, id: string, holdSeconds: number): Promise<TakenDelivery> {
  const [row] = await tx.run(takeDeliverySql, { id, holdSeconds });
  if (!row || row.status !== 'pending') return { kind: 'over' };
  // Due by what this statement saw, yet not taken: somebody else took it at the same moment.
  if (row.held_until === null) return { kind: 'later', dueInMs: row.due_in_ms || holdSeconds * 1000 };
  return { kind: 'held', delivery: toHeld(row, row.held_until, tx.organizationId) };
}

function toHeld(row: TakeDeliveryResult, heldUntil: string, organizationId: string): HeldDelivery {
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
    target: sendable ? { url: row.url!, secret: row.secret } : null,
    traceparent: row.traceparent,
    heldUntil,
  };
}

export interface AttemptRecord {
  status: DeliveryStatus;
  statusCode: number | null;
  responseBody: string | null;
  error: string | null;
  /** Before the next attempt, when `status` is pending. */
  waitMs: number;
  /** false: nothing was sent, so that it counts neither as an attempt nor against the webhook. */
  sent: boolean;
  /** Failed deliveries in a row after which the webhook is switched off. */
  disableAfter: number;
}

/** Records an attempt. `recorded` is false when the hold had lapsed and somebody else has gone on with the delivery. */
export async function recordAttempt(
  tx: TenantTransaction,
  { id, heldUntil }: Pick<HeldDelivery, 'id' | 'heldUntil'>,
  attempt: AttemptRecord,
): Promise<{ recorded: boolean; autoDisabled: boolean }> {
  const { status, statusCode, responseBody, error, waitMs, sent, disableAfter } = attempt;
  const [row] = await tx.run(recordAttemptSql, {
    id,
    heldUntil,
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

/** A column of text cannot hold NUL; a receiver may send one. */
const withoutNul = (text: string | null): string | null => text?.replaceAll('\0', '\u{fffd}') ?? null;

export interface OverdueDelivery {
  id: string;
  organizationId: string;
  nextAttemptAt: string;
}

export const firstOverdue: OverdueDelivery = {
  id: '00000000-0000-0000-0000-000000000000',
  organizationId: '',
  nextAttemptAt: '-infinity',
};

/** The next page of deliveries that should have been tried at least `bySeconds` ago, behind `after`. */
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
