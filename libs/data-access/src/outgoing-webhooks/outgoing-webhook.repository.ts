import { maxDocumentBytesPerStatement } from '@spooled/domain';
import type { Database } from '../database/database.js';
import { deleteInParts } from '../database/delete-in-parts.js';
import type { TimedPage } from '../database/list-position.js';
import { lockResource } from '../database/lock-resource.js';
import type { TenantParameters } from '../database/prepared-query.js';
import { type Searched, searchSizedPage } from '../database/search-in-parts.js';
import type { TenantTransaction } from '../database/transactions.js';
import type { ClaimedDelivery, DeliveryStatus } from '../deliveries/deliveries.repository.js';
import { deleteDeliveriesOfWebhook } from './delete-deliveries-of-webhook.queries.js';
import {
  findDeliveriesEnd,
  listDeliveries as listDeliveriesSql,
  type ListDeliveriesResult,
} from './list-deliveries.queries.js';
import {
  changeWebhook as changeWebhookSql,
  countEnabledWebhooks,
  deleteWebhook as deleteWebhookSql,
  type FindWebhookResult,
  type InsertWebhookParams,
} from './outgoing-webhooks.queries.js';

export { findDelivery, type FindDeliveryResult as DeliveryDetails } from './find-delivery.queries.js';
export {
  findWebhook,
  type FindWebhookResult as OutgoingWebhook,
  insertWebhook,
  listWebhooks,
  rotateSecret,
} from './outgoing-webhooks.queries.js';
export { findWebhookTarget } from './find-webhook-target.queries.js';
export { retryDelivery } from './retry-delivery.queries.js';

export type DeliveryListRow = Omit<ListDeliveriesResult, 'found'>;

/** Absent fields are unchanged. `retry_seconds` null: the default of the service. */
export type WebhookChanges = Partial<TenantParameters<InsertWebhookParams>>;

/** Lets one transaction at a time change webhooks of the organization: its checks hold until it ends. */
export const lockWebhooks = (tx: TenantTransaction): Promise<void> => lockResource(tx, 'webhooks');

/** Counts the enabled webhooks under a lock that prevents additions until the transaction ends, so that the plan's limit is exact. */
export async function lockAndCountEnabledWebhooks(tx: TenantTransaction): Promise<number> {
  await lockWebhooks(tx);
  return (await tx.one(countEnabledWebhooks)).enabled;
}

/** The webhook must exist. */
export async function changeWebhook(
  tx: TenantTransaction,
  id: string,
  changes: WebhookChanges,
): Promise<FindWebhookResult> {
  const changed = { id, changes: JSON.stringify(changes) };
  return tx.one(changeWebhookSql, changed);
}

/** Deletes a webhook and its deliveries. Returns false when it does not exist. */
export async function deleteWebhook(database: Database, organizationId: string, id: string): Promise<boolean> {
  await deleteInParts(database, organizationId, (tx, limit) =>
    tx.one(deleteDeliveriesOfWebhook, { webhookId: id, limit }),
  );
  const deleted = await database.withTenant(organizationId, (tx) => tx.run(deleteWebhookSql, { id }));
  return deleted.length > 0;
}

/** Where a webhook is sent, enabled or not. */
export type WebhookTarget = NonNullable<ClaimedDelivery['target']>;

/**
 * The deliveries of one webhook, newest first, searched for in parts. A page ends after 8 MB of payloads.
 * @param tx with `repeatableRead`, because several statements find the page
 */
export function listDeliveries(
  tx: TenantTransaction,
  webhookId: string,
  { statuses, ...page }: TimedPage & { statuses: DeliveryStatus[] | null },
): Promise<Searched<DeliveryListRow>> {
  // These have an index of their own.
  const [first, ...others] = statuses ?? [];
  const kind = others.length === 0 && (first === 'pending' || first === 'failed') ? first : 'all';
  const scope = { webhookId, kind };
  return searchSizedPage(
    page,
    { isSelective: statuses !== null && kind === 'all' },
    {
      find: (part) =>
        tx.run(listDeliveriesSql, { ...scope, statuses, maxBytes: maxDocumentBytesPerStatement, ...part }),
      findEnd: (part) => tx.run(findDeliveriesEnd, { ...scope, ...part }),
    },
  );
}
