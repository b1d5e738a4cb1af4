import { Injectable } from '@nestjs/common';
import type { outgoingWebhookSchemas } from '@spooled/contracts';
import {
  Database,
  findDelivery,
  findWebhook,
  listDeliveries,
  repeatableRead,
  retryDelivery,
  type DeliveryDetails,
  type DeliveryListRow,
  type TenantTransaction,
} from '@spooled/data-access';
import { badRequest, isUuid, manualDeliveryLimits as limits, notFound } from '@spooled/domain';
import {
  byCreation,
  EffectsPublisher,
  type Page,
  pageOfSearch,
  type Principal,
  searchedRowsOf,
} from '@spooled/service';

/** Deliveries of outgoing webhooks: list and manual retry (SP-53). */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly database: Database,
    private readonly effects: EffectsPublisher,
  ) {}

  /** Newest first. @throws SpooledError 400 for an invalid cursor, 404 for an unknown webhook */
  async list(
    { organizationId }: Principal,
    webhookId: string,
    query: outgoingWebhookSchemas.ListDeliveriesQuery,
  ): Promise<Page<DeliveryListRow>> {
    const page = { statuses: query.status ?? null, ...searchedRowsOf(query) };
    const find = (tx: TenantTransaction) => listDeliveries(tx, webhookId, page);
    const found = await this.database.withTenant(organizationId, find, repeatableRead);
    if (found.rows.length === 0) await this.requireWebhook(organizationId, webhookId);
    return pageOfSearch(found, query, byCreation);
  }

  /** A delivery with its newest attempts. @throws SpooledError 404 */
  async get({ organizationId }: Principal, webhookId: string, deliveryId: string): Promise<DeliveryDetails> {
    const found = await this.database.withTenant(organizationId, (tx) =>
      tx.first(findDelivery, { webhookId, deliveryId }),
    );
    if (!found) throw notFound('Delivery');
    return found;
  }

  /**
   * Retries a failed delivery now. A pending delivery keeps its scheduled attempt.
   * @throws SpooledError 400 if it has succeeded or used its attempts, its webhook is disabled or its id is invalid; 404
   */
  async retry(
    { organizationId }: Principal,
    webhookId: string,
    deliveryId: string,
  ): Promise<outgoingWebhookSchemas.RetriedDelivery> {
    if (!isUuid(deliveryId)) throw badRequest('The delivery id is not a UUID');
    const ids = { webhookId, deliveryId: deliveryId.toLowerCase(), ...limits };
    const found = await this.database.withTenant(organizationId, (tx) => tx.one(retryDelivery, ids));
    if (found.enabled === null) throw notFound('Webhook');
    if (found.status === null) throw notFound('Delivery');
    const response = { success: true, delivery_id: ids.deliveryId, status: 'pending' } as const;
    if (found.retried) {
      this.effects.publish({ deliveries: [{ id: ids.deliveryId, organizationId }] });
      return { ...response, message: 'Delivery queued for retry' };
    }
    if (found.status === 'success') throw badRequest('The delivery has already succeeded');
    if (found.status === 'pending') return { ...response, message: 'Delivery is already queued' };
    if (found.is_used_up)
      throw badRequest(
        `The delivery has used all of its ${limits.maxAttempts} attempts, or ${limits.maxRetries} by hand`,
      );
    if (!found.enabled) throw badRequest('The webhook is disabled: enable it before retrying its deliveries');
    return { ...response, message: 'Delivery is already queued' };
  }

  private async requireWebhook(organizationId: string, id: string): Promise<void> {
    const webhook = await this.database.withTenant(organizationId, (tx) => tx.first(findWebhook, { id }));
    if (!webhook) throw notFound('Webhook');
  }
}
