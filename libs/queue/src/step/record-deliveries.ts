import type { Transaction } from '@spooled/data-access';
import type { DecidedDelivery, EffectsBuilder } from './effects.js';

/** What outgoing webhooks may want to hear of and no database function records by itself. */
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
 * Records deliveries in the transaction of the change, so that no crash loses one (SP-53). One statement; next to nothing for an
 * organization that nobody listens to.
 */
export async function recordDeliveries(
  tx: Transaction,
  happenings: WebhookEvent[],
  effects: EffectsBuilder,
): Promise<void> {
  const parts = partsOf(
    happenings,
    ({ organizationId: organization, event }) => ({ organization, event }),
    ({ jobId, data }) => ({ id: jobId, data }),
  );
  await record(tx, 'SELECT record_events_v1($1) AS recorded', parts, effects);
}

/** The same for jobs that were cancelled in this transaction. */
export async function recordCancellations(
  tx: Transaction,
  cancellations: Cancellation[],
  effects: EffectsBuilder,
): Promise<void> {
  const parts = partsOf(
    cancellations,
    ({ organizationId: organization }) => ({ organization }),
    ({ jobId, queueName, oldStatus, reason }) => ({
      id: jobId,
      queue: queueName,
      old_status: oldStatus,
      reason: reason ?? undefined,
    }),
  );
  await record(tx, 'SELECT record_cancellations_v1($1) AS recorded', parts, effects);
}

/** Groups things under what they have in common, in the order of organizations that every batch keeps. */
function partsOf<T>(
  things: T[],
  headOf: (thing: T) => { organization: string },
  itemOf: (thing: T) => object,
): object[] {
  const parts = new Map<string, { organization: string; items: object[] }>();
  for (const thing of things) {
    const head = headOf(thing);
    const key = JSON.stringify(head);
    const part = parts.get(key) ?? { ...head, items: [] };
    parts.set(key, part);
    part.items.push(itemOf(thing));
  }
  return [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
}

async function record(tx: Transaction, sql: string, parts: object[], effects: EffectsBuilder): Promise<void> {
  if (parts.length === 0) return;
  const [row] = await tx.query<{ recorded: DecidedDelivery[] }>(sql, [JSON.stringify(parts)]);
  effects.deliver(row!.recorded);
}
