import { maxDocumentBytesPerStatement } from '@spooled/domain';
import type { TimedPage } from '../database/list-position.js';
import { type Searched, searchSizedPage } from '../database/search-in-parts.js';
import type { TenantTransaction } from '../database/transactions.js';
import type { DeliveryStatus } from '../deliveries/deliveries.repository.js';
import { lockResource, newestById, type PageById, type TenantModels } from '../prisma/tenant-models.js';
import type { OutgoingWebhook } from '../generated/client.js';
import {
  findWebhookTarget as findWebhookTargetSql,
  type FindWebhookTargetResult,
} from './find-webhook-target.queries.js';
import {
  findDeliveriesEnd,
  listDeliveries as listDeliveriesSql,
  type ListDeliveriesResult,
} from './list-deliveries.queries.js';
import { retryDelivery as retryDeliverySql, type RetryDeliveryResult } from './retry-delivery.queries.js';

export type { FindWebhookTargetResult as WebhookTarget, RetryDeliveryResult as RetriedDeliveryRow };

export type { OutgoingWebhook };

export type DeliveryListRow = Omit<ListDeliveriesResult, 'found'>;

export interface NewWebhook {
  name: string;
  url: string;
  events: string[];
  format: string;
  secret: string | null;
  enabled: boolean;
}

/** Absent fields are unchanged. */
export type WebhookChanges = Partial<NewWebhook>;

/** Counts the enabled webhooks under a lock that prevents additions until the transaction ends, so that the plan's limit is exact. */
export async function lockAndCountEnabledWebhooks(models: TenantModels): Promise<number> {
  await lockResource(models, 'webhooks');
  return models.outgoingWebhook.count({ where: { enabled: true } });
}

/** The webhooks of the organization, newest first: their ids are made in the order of creation. */
export const listWebhooks = (models: TenantModels, page: PageById): Promise<OutgoingWebhook[]> =>
  models.outgoingWebhook.findMany({ orderBy: { id: 'desc' }, ...newestById(page) });

export const findWebhook = (models: TenantModels, id: string): Promise<OutgoingWebhook | null> =>
  models.outgoingWebhook.findUnique({ where: { id } });

export const insertWebhook = (models: TenantModels, webhook: NewWebhook): Promise<OutgoingWebhook> =>
  models.outgoingWebhook.create({ data: { organization_id: models.organizationId, ...webhook } });

/** Enabling a webhook resets its failure count; otherwise the first failure would disable it again. */
export const changeWebhook = (models: TenantModels, id: string, changes: WebhookChanges): Promise<OutgoingWebhook> =>
  models.outgoingWebhook.update({
    where: { id },
    data: { ...changes, ...(changes.enabled && { failure_count: 0 }), updated_at: new Date() },
  });

/** Deletes the webhook and its deliveries. Returns false when it does not exist. */
export async function deleteWebhook(models: TenantModels, id: string): Promise<boolean> {
  const { count } = await models.outgoingWebhook.deleteMany({ where: { id } });
  return count > 0;
}

/** The URL and secret of a webhook, enabled or not. */
export async function findWebhookTarget(
  tx: TenantTransaction,
  id: string,
): Promise<FindWebhookTargetResult | undefined> {
  const [target] = await tx.run(findWebhookTargetSql, { id });
  return target;
}

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

/** Makes a failed delivery due now, unless it has had `maxAttempts`, was delivered or its webhook is disabled. */
export async function retryDelivery(
  tx: TenantTransaction,
  delivery: { webhookId: string; deliveryId: string; maxAttempts: number },
): Promise<RetryDeliveryResult> {
  const [row] = await tx.run(retryDeliverySql, delivery);
  return row!;
}
