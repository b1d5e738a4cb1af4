import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { outgoingWebhookSchemas as schemas } from '@spooled/contracts';
import { CurrentPrincipal, Requires, Unscoped } from '../auth/access.decorators.js';
import { type Page, type Principal, textPage } from '@spooled/service';
import { ApiTags } from '../http/api-documentation.js';
import { LargeListResponse } from '../load/list-turns.js';
import { MayBeStale } from '../http/stale-read.js';
import { ResponseSchema, TextResponse } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { idParam } from '../http/path-params.js';
import { DeliveriesService } from './deliveries.service.js';
import { toDeliveryResponse } from './webhook-responses.js';

const webhookId = idParam('Webhook');
const deliveryIdParam = idParam('Delivery');

/** Controller of the delivery routes of outgoing webhooks. */
@ApiTags('outgoing-webhooks')
@Unscoped()
@Controller('outgoing-webhooks/:id')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get('deliveries')
  @Requires('read')
  @MayBeStale()
  @LargeListResponse(schemas.webhookDelivery)
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('id', webhookId) id: string,
    @Query(validated(schemas.listDeliveriesQuery)) query: schemas.ListDeliveriesQuery,
  ): Promise<Page<string>> {
    return textPage(await this.deliveries.list(principal, id, query), toDeliveryResponse);
  }

  @Get('deliveries/:deliveryId')
  @Requires('read')
  @TextResponse(schemas.deliveryDetails)
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('id', webhookId) id: string,
    @Param('deliveryId', deliveryIdParam) deliveryId: string,
  ): Promise<string> {
    return toDeliveryResponse(await this.deliveries.get(principal, id, deliveryId));
  }

  // The first path is the published route, the second is used by the Python SDK.
  @Post(['retry/:deliveryId', 'deliveries/:deliveryId/retry'])
  @Requires('operate')
  @ResponseSchema(schemas.retriedDelivery)
  retry(
    @CurrentPrincipal() principal: Principal,
    @Param('id', webhookId) id: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<schemas.RetriedDelivery> {
    return this.deliveries.retry(principal, id, deliveryId);
  }
}
