import { asObject } from '../database/stored-values.js';
import type { SystemTransaction, TenantTransaction } from '../database/transactions.js';
import { findJobSettings as findJobSettingsSql } from './find-job-settings.queries.js';
import { listPushQueues as listPushQueuesSql, type ListPushQueuesResult } from './list-push-queues.queries.js';

/** A queue whose jobs are sent to a URL. `hasWork`: whether a job can be claimed now. */
export interface PushQueueRow extends ListPushQueuesResult {
  settings: Record<string, unknown>;
}

/** Push queues of all organizations that are not paused. */
export async function listPushQueues(tx: SystemTransaction, limit: number): Promise<PushQueueRow[]> {
  const rows = await tx.run(listPushQueuesSql, { limit });
  return rows.map((row) => ({ ...row, settings: asObject(row.settings) }));
}

/** The settings of those jobs that have their own, by id. */
export async function findJobSettings(
  tx: TenantTransaction,
  ids: string[],
): Promise<Map<string, Record<string, unknown>>> {
  const rows = await tx.run(findJobSettingsSql, { ids });
  return new Map(rows.map(({ id, settings }) => [id, asObject(settings)]));
}
