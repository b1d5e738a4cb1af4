import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { outgoingWebhookSchemas as schemas } from '@spooled/contracts';
import {
  Database,
  findDelivery,
  listDeliveries,
  repeatableRead,
  retryDelivery,
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
  textPage,
} from '@spooled/service';
import { CurrentPrincipal, Requires, Unscoped } from '../auth/access.decorators.js';
import { ApiTags, idParam, ResponseSchema, TextResponse, validated } from '../http/routes.js';
import { MayBeStale } from '../http/stale-read.js';
import { LargeListResponse } from '../load/list-turns.js';
import { requireWebhook } from './require-webhook.js';
import { toDeliveryResponse } from './webhook-responses.js';

const webhookIdParam = idParam('Webhook');

/** Deliveries of outgoing webhooks: list and manual retry (SP-53). */
@ApiTags('outgoing-webhooks')
@Unscoped()
@Controller('outgoing-webhooks/:id')
export class DeliveriesController {
  constructor(
    private readonly database: Database,
    private readonly effects: EffectsPublisher,
  ) {}

  /** Newest first. @throws SpooledError 400 for an invalid cursor, 404 for an unknown webhook */
  @Get('deliveries')
  @Requires('read')
  @MayBeStale()
  @LargeListResponse(schemas.webhookDelivery)
  async list(
    @CurrentPrincipal() { organizationId }: Principal,
    @Param('id', webhookIdParam) webhookId: string,
    @Query(validated(schemas.listDeliveriesQuery)) query: schemas.ListDeliveriesQuery,
  ): Promise<Page<string>> {
    const page = { statuses: query.status ?? null, ...searchedRowsOf(query) };
    const find = (tx: TenantTransaction) => listDeliveries(tx, webhookId, page);
    const found = await this.database.withTenant(organizationId, find, repeatableRead);
    if (found.rows.length === 0) await this.database.withTenant(organizationId, (tx) => requireWebhook(tx, webhookId));
    return textPage(pageOfSearch(found, query, byCreation), toDeliveryResponse);
  }

  /** A delivery with its newest attempts. @throws SpooledError 404 */
  @Get('deliveries/:deliveryId')
  @Requires('read')
  @TextResponse(schemas.deliveryDetails)
  async get(
    @CurrentPrincipal() { organizationId }: Principal,
    @Param('id', webhookIdParam) webhookId: string,
    @Param('deliveryId', idParam('Delivery')) deliveryId: string,
  ): Promise<string> {
    const found = await this.database.withTenant(organizationId, (tx) =>
      tx.first(findDelivery, { webhookId, deliveryId }),
    );
    if (!found) throw notFound('Delivery');
    return toDeliveryResponse(found);
  }

  /**
   * Retries a failed delivery now. A pending delivery keeps its scheduled attempt.
   * @throws SpooledError 400 if it has succeeded or used its attempts, its webhook is disabled or its id is invalid; 404
   */
  // The first path is the published route, the second is used by the Python SDK.
  @Post(['retry/:deliveryId', 'deliveries/:deliveryId/retry'])
  @Requires('operate')
  @ResponseSchema(schemas.retriedDelivery)
  async retry(
    @CurrentPrincipal() { organizationId }: Principal,
    @Param('id', webhookIdParam) webhookId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<schemas.RetriedDelivery> {
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
}
