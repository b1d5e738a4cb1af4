import type { TenantTransaction, Transaction } from '@spooled/data-access';
import { type CancelledJob, type CancelledJobOf, recordedDeliveries } from './answers.js';
import type { EffectsBuilder } from './effects.js';
import { recordCancellations as recordCancellationsSql, recordEvents } from './record-deliveries.queries.js';
import type { RecordCancellationsV1Record } from './record_cancellations_v1.queries.js';
import type { RecordEventsV1Record } from './record_events_v1.queries.js';

/** An event for outgoing webhooks that no database function records by itself. */
export interface WebhookEvent {
  organizationId: string;
  event: 'job.started' | 'job.retried' | 'worker.registered' | 'worker.deregistered';
  /** Null for events that do not concern one job. */
  jobId: string | null;
  data: Record<string, unknown>;
}

interface Cancellation {
  organizationId: string;
  jobId: string;
  queueName: string;
  oldStatus: string;
  /** In words of who cancelled it, or of its worker. */
  reason: string | null;
  /** Because a job that it waited for ended without success. */
  cascades: boolean;
}

/**
 * Records webhook deliveries in the transaction of the change, so that no crash loses one (SP-53). One statement,
 * almost free for organizations without subscribers.
 */
export async function recordDeliveries(
  tx: Transaction,
  events: WebhookEvent[],
  effects: EffectsBuilder,
): Promise<void> {
  const parts = partsOf(
    events,
    ({ organizationId: organization, event }) => ({ organization, event }),
    ({ jobId, data }) => ({ id: jobId, data }) satisfies RecordEventsV1Record,
  );
  await record(tx, recordEvents, parts, effects);
}

/** As `recordDeliveries`, for jobs cancelled in this transaction. */
export async function recordCancellations(
  tx: Transaction,
  cancellations: Cancellation[],
  effects: EffectsBuilder,
): Promise<void> {
  const parts = partsOf(
    cancellations,
    ({ organizationId: organization }) => ({ organization }),
    ({ jobId, queueName, oldStatus, reason, cascades }) =>
      ({
        id: jobId,
        queue: queueName,
        old_status: oldStatus,
        reason: reason ?? undefined,
        cascades,
      }) satisfies RecordCancellationsV1Record,
  );
  await record(tx, recordCancellationsSql, parts, effects);
}

/** Tells of jobs that this transaction has cancelled because a parent ended without success. */
export async function reportCascade(
  tx: Transaction,
  cancelled: CancelledJobOf[],
  at: string,
  effects: EffectsBuilder,
): Promise<void> {
  for (const { id, organization, queue, old } of cancelled) {
    effects.statusChange(organization, { id, queue }, { from: old, to: 'cancelled', at });
  }
  const cancellations = cancelled.map(
    ({ id: jobId, organization: organizationId, queue: queueName, old: oldStatus }) => {
      return { organizationId, jobId, queueName, oldStatus, reason: null, cascades: true };
    },
  );
  await recordCancellations(tx, cancellations, effects);
}

/** As `reportCascade`, for jobs of the transaction's organization. */
export function reportOwnCascade(
  tx: TenantTransaction,
  cancelled: CancelledJob[],
  at: string,
  effects: EffectsBuilder,
): Promise<void> {
  const { organizationId: organization } = tx;
  const own = cancelled.map((job) => ({ ...job, organization }));
  return reportCascade(tx, own, at, effects);
}

/** Groups items that share a head, sorted by organization as in every batch. */
function partsOf<Item>(
  items: Item[],
  headOf: (item: Item) => { organization: string },
  itemOf: (item: Item) => object,
): object[] {
  const parts = new Map<string, { organization: string; items: object[] }>();
  for (const item of items) {
    const head = headOf(item);
    const key = JSON.stringify(head);
    const part = parts.get(key) ?? { ...head, items: [] };
    parts.set(key, part);
    part.items.push(itemOf(item));
  }
  return [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
}

async function record(
  tx: Transaction,
  statement: typeof recordEvents | typeof recordCancellationsSql,
  parts: object[],
  effects: EffectsBuilder,
): Promise<void> {
  if (parts.length === 0) return;
  const row = await tx.one(statement, { batch: JSON.stringify(parts) });
  effects.deliver(recordedDeliveries.parse(row.recorded));
}
