import type { SystemTransaction, TenantTransaction } from '../database/transactions.js';
import {
  beginProbe as beginProbeSql,
  dropOldestHeld as dropOldestHeldSql,
  findHeldWebhooks as findHeldWebhooksSql,
  releaseHeld as releaseHeldSql,
} from './held-deliveries.queries.js';

/** A webhook with held deliveries: to be probed while it is held, else to be released. */
export interface HeldWebhook {
  id: string;
  organizationId: string;
  isHeld: boolean;
}

/** Webhooks whose probe is due, or whose held deliveries are to be released. */
export async function findHeldWebhooks(tx: SystemTransaction, limit: number): Promise<HeldWebhook[]> {
  const rows = await tx.run(findHeldWebhooksSql, { limit });
  return rows.map(({ id, organization_id: organizationId, is_held: isHeld }) => ({ id, organizationId, isHeld }));
}

/** Makes at most `limit` held deliveries due, the oldest first. @returns their ids */
export async function releaseHeld(tx: TenantTransaction, webhook: { id: string; limit: number }): Promise<string[]> {
  return (await tx.run(releaseHeldSql, webhook)).map(({ id }) => id);
}

/** Drops held deliveries beyond the newest `max`, at most `limit` of them. @returns how many */
export async function dropOldestHeld(
  tx: TenantTransaction,
  webhook: { id: string; max: number; limit: number; error: string },
): Promise<number> {
  return (await tx.one(dropOldestHeldSql, webhook)).dropped;
}

/** Makes one held delivery due, which no longer waits for the others. @returns its id; null: there is nothing to do */
export async function beginProbe(
  tx: TenantTransaction,
  webhook: { id: string; firstSeconds: number; longestSeconds: number },
): Promise<string | null> {
  return (await tx.first(beginProbeSql, webhook))?.id ?? null;
}
