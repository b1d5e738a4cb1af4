import { asObject } from '../database/stored-values.js';
import type { SystemTransaction, TenantTransaction } from '../database/transactions.js';
import { findJobSettings as findJobSettingsSql } from './find-job-settings.queries.js';
import { listPushQueues as listPushQueuesSql } from './list-push-queues.queries.js';

/** A queue whose jobs are sent to a URL. */
export interface PushQueueRow {
  organizationId: string;
  queueName: string;
  settings: Record<string, unknown>;
  planTier: string;
  customLimits: unknown;
  /** Whether a job can be claimed now. */
  hasWork: boolean;
}

/** Push queues of all organizations that are not paused. */
export async function listPushQueues(tx: SystemTransaction, limit: number): Promise<PushQueueRow[]> {
  const rows = await tx.run(listPushQueuesSql, { limit });
  return rows.map((row) => ({
    organizationId: row.organization_id,
    queueName: row.queue_name,
    settings: asObject(row.settings),
    planTier: row.plan_tier,
    customLimits: row.custom_limits,
    hasWork: row.has_work,
  }));
}

/** The settings of those jobs that have their own, by id. */
export async function findJobSettings(
  tx: TenantTransaction,
  ids: string[],
): Promise<Map<string, Record<string, unknown>>> {
  const rows = await tx.run(findJobSettingsSql, { ids });
  return new Map(rows.map(({ id, settings }) => [id, asObject(settings)]));
}
