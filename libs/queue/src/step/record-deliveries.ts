import type { Transaction } from '@spooled/data-access';
import type { DecidedDelivery, EffectsBuilder } from './effects.js';

/** What outgoing webhooks may want to hear of and no database function decides by itself. */
export interface WebhookEvent {
  organizationId: string;
  event: 'job.started' | 'worker.registered' | 'worker.deregistered';
  /** Null for what is not about one job. */
  jobId: string | null;
  data: Record<string, unknown>;
}

export interface Cancellation {
  organizationId: string;
  jobId: string;
  queueName: string;
  oldStatus: string;
  /** `cascade`: because of a job that it waited for; null: by itself. */
  reason: string | null;
}

/**
 * Decides deliveries in the transaction of the change, so that no crash loses one (SP-53). One statement; next to nothing for an
 * organization that nobody listens to.
 */
export async function recordDeliveries(
  tx: Transaction,
  happenings: WebhookEvent[],
  effects: EffectsBuilder,
): Promise<void> {
  const parts = partsOf(
    happenings,
    ({ organizationId: org, event }) => ({ org, event }),
    ({ jobId, data }) => ({ id: jobId, data }),
  );
  await decide(tx, 'SELECT decide_events_v1($1) AS decided', parts, effects);
}

/** The same for jobs that were cancelled in this transaction. */
export async function recordCancellations(
  tx: Transaction,
  cancellations: Cancellation[],
  effects: EffectsBuilder,
): Promise<void> {
  const parts = partsOf(
    cancellations,
    ({ organizationId: org }) => ({ org }),
    ({ jobId, queueName, oldStatus, reason }) => ({ id: jobId, q: queueName, o: oldStatus, r: reason ?? undefined }),
  );
  await decide(tx, 'SELECT decide_cancellations_v1($1) AS decided', parts, effects);
}

/** Groups things under what they have in common, in the order of organizations that every batch keeps. */
function partsOf<T>(things: T[], headOf: (thing: T) => { org: string }, itemOf: (thing: T) => object): object[] {
  const parts = new Map<string, { org: string; items: object[] }>();
  for (const thing of things) {
    const head = headOf(thing);
    const key = JSON.stringify(head);
    const part = parts.get(key) ?? { ...head, items: [] };
    parts.set(key, part);
    part.items.push(itemOf(thing));
  }
  return [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
}

async function decide(tx: Transaction, sql: string, parts: object[], effects: EffectsBuilder): Promise<void> {
  if (parts.length === 0) return;
  const [row] = await tx.query<{ decided: DecidedDelivery[] }>(sql, [JSON.stringify(parts)]);
  effects.deliver(row!.decided);
}
