import type { SystemTransaction } from '../database/transactions.js';
import { findHeldWebhooks as findHeldWebhooksSql } from './held-deliveries.queries.js';

export { releaseHeld, dropOldestHeld, beginProbe } from './held-deliveries.queries.js';

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
