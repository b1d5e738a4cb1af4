import { type PlanLimits, secretQueueSettings, upgradeTo } from '@spooled/domain';
import { lockResource } from '../database/lock-resource.js';
import type { TenantParameters } from '../database/prepared-query.js';
import { rethrowQuotaError } from '../database/quota-error.js';
import type { TenantTransaction } from '../database/transactions.js';
import { recordDeliveries as recordDeliveriesSql } from './record-deliveries.queries.js';
import { findQueue as findQueueSql, type FindQueueResult } from './find-queue.queries.js';
import { listQueues as listQueuesSql, type ListQueuesParams, type ListQueuesResult } from './list-queues.queries.js';
import { checkQueueQuota as checkQueueQuotaSql } from './check-queue-quota.queries.js';
import { saveQueueSettings as saveQueueSettingsSql } from './save-queue-settings.queries.js';

export { deleteQueueSettings } from './delete-queue-settings.queries.js';
export { findQueueRate } from './find-queue-rate.queries.js';
export { measureOldestPending } from './measure-oldest-pending.queries.js';
export { measureQueue, type MeasureQueueResult as QueueMeasuresRow } from './measure-queue.queries.js';
export { readQueueTokens, takeQueueTokens } from './queue-tokens.queries.js';
export type { ListQueuesResult as QueueSummaryRow };
/** A queue; its settings are JSON text without the secret ones. */
export type { FindQueueResult as QueueRow };

/** The settings of a queue that is not configured. */
export interface QueueDefaults {
  maxRetries: number;
  timeoutSeconds: number;
}

/** Null leaves a value unchanged, except the rate limit. */
export interface QueueSettingsChange {
  maxRetries: number | null;
  timeoutSeconds: number | null;
  /** Jobs per second; null removes the limit, undefined leaves it unchanged. */
  rateLimit: number | null | undefined;
  enabled: boolean | null;
  /** JSON text of an object, merged into the settings at their top level. */
  settings: string | null;
}

const hidden = [...secretQueueSettings];

/** The defaults as parameters of the statements. */
export const columnsOf = ({ maxRetries, timeoutSeconds }: QueueDefaults) => ({
  defaultRetries: maxRetries,
  defaultTimeout: timeoutSeconds,
});

/** Queues, ordered by name. */
export function listQueues(
  tx: TenantTransaction,
  filter: Omit<TenantParameters<ListQueuesParams>, keyof ReturnType<typeof columnsOf>>,
  defaults: QueueDefaults,
): Promise<ListQueuesResult[]> {
  return tx.run(listQueuesSql, { ...filter, ...columnsOf(defaults) });
}

/**
 * The queue, or undefined when it has no settings and never had a job.
 * @param withSecrets whether receivers and secrets among its own settings are shown in full
 */
export async function findQueue(
  tx: TenantTransaction,
  name: string,
  defaults: QueueDefaults,
  { withSecrets }: { withSecrets: boolean },
): Promise<FindQueueResult | undefined> {
  const queue = { queueName: name };
  return tx.first(findQueueSql, { ...queue, ...columnsOf(defaults), hidden, withSecrets });
}

export interface SavedQueue {
  queue: FindQueueResult;
  /** Size of the merged settings in bytes; the caller throws when it is too large. */
  settingsBytes: number;
  /** The previous value; a queue without settings is enabled. */
  wasEnabled: boolean;
  wasPausedAt: string | null;
  savedAt: string;
}

/** Until the transaction ends, no other one writes settings: a queue that has none yet has no row to lock. */
export const lockQueueSettings = (tx: TenantTransaction): Promise<void> => lockResource(tx, 'queue_settings');

export async function saveQueueSettings(
  tx: TenantTransaction,
  name: string,
  change: QueueSettingsChange,
  defaults: QueueDefaults,
): Promise<SavedQueue> {
  await lockQueueSettings(tx);
  const { settingsBytes, wasEnabled, wasPausedAt, savedAt, ...queue } = await tx.one(saveQueueSettingsSql, {
    queueName: name,
    ...change,
    rateLimit: change.rateLimit ?? null,
    setRateLimit: change.rateLimit !== undefined,
    hidden,
    ...columnsOf(defaults),
  });
  return { queue, settingsBytes, wasEnabled, wasPausedAt, savedAt };
}

/**
 * Checks that the plan allows another queue, unless the queue exists. Holds the quota lock of enqueues until the transaction
 * ends, so that concurrent requests cannot exceed the limit.
 * @throws SpooledError 429 QUOTA_EXCEEDED
 */
export async function checkQueueQuota(
  tx: TenantTransaction,
  name: string,
  { max_queues: maxQueues, tier: plan }: PlanLimits,
): Promise<void> {
  if (maxQueues === null) return;
  const parameters = { quota: JSON.stringify({ maxQueues }), queueName: name };
  const cap = { plan, upgradeTo: upgradeTo(plan) };
  await tx.run(checkQueueQuotaSql, parameters).catch((error: unknown) => rethrowQuotaError(error, cap));
}

/** Records one delivery for each webhook that is subscribed to the event, in the transaction of the change; returns their ids. */
export async function recordDeliveries(
  tx: TenantTransaction,
  event: 'queue.paused' | 'queue.resumed' | 'cause.appeared' | 'cause.grew' | 'cause.omitted',
  data: Record<string, unknown>,
): Promise<string[]> {
  const rows = await tx.run(recordDeliveriesSql, {
    event,
    data: JSON.stringify(data),
  });
  return rows.map(({ id }) => id);
}
