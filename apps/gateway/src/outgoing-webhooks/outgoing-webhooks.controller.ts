import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { outgoingWebhookSchemas as schemas } from '@spooled/contracts';
import { CurrentPrincipal, Requires, Unscoped } from '../auth/access.decorators.js';
import type { Page, Principal } from '@spooled/service';
import { ApiTags } from '../http/api-documentation.js';
import { ListResponse } from '../http/list-response.js';
import { ResponseSchema } from '../http/response-schema.js';
import { validated, validatedIfPresent } from '../http/validated.js';
import { idParam } from '../http/path-params.js';
import { OutgoingWebhooksService } from './outgoing-webhooks.service.js';

const webhookId = idParam('Webhook');

/** Controller of the outgoing webhook routes. */
@ApiTags('outgoing-webhooks')
@Unscoped()
@Controller('outgoing-webhooks')
export class OutgoingWebhooksController {
  constructor(private readonly webhooks: OutgoingWebhooksService) {}

  @Get()
  @Requires('read')
  @ListResponse(schemas.webhook)
  list(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(schemas.listWebhooksQuery)) query: schemas.ListWebhooksQuery,
  ): Promise<Page<schemas.Webhook>> {
    return this.webhooks.list(principal, query);
  }

  @Post()
  @Requires('operate')
  @ResponseSchema(schemas.webhook, 201)
  create(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(schemas.createWebhookBody)) body: schemas.CreateWebhookBody,
  ): Promise<schemas.Webhook> {
    return this.webhooks.create(principal, body);
  }

  @Get(':id')
  @Requires('read')
  @ResponseSchema(schemas.webhook)
  get(@CurrentPrincipal() principal: Principal, @Param('id', webhookId) id: string): Promise<schemas.Webhook> {
    return this.webhooks.get(principal, id);
  }

  @Put(':id')
  @Requires('operate')
  @ResponseSchema(schemas.webhook)
  update(
    @CurrentPrincipal() principal: Principal,
    @Param('id', webhookId) id: string,
    @Body(validated(schemas.updateWebhookBody)) body: schemas.UpdateWebhookBody,
  ): Promise<schemas.Webhook> {
    return this.webhooks.update(principal, id, body);
  }

  @Post(':id/rotate-secret')
  @Requires('operate')
  @ResponseSchema(schemas.rotatedWebhook)
  rotateSecret(
    @CurrentPrincipal() principal: Principal,
    @Param('id', webhookId) id: string,
    @Body(validatedIfPresent(schemas.rotateSecretBody)) body: schemas.RotateSecretBody,
  ): Promise<schemas.RotatedWebhook> {
    return this.webhooks.rotateSecret(principal, id, body);
  }

  @Delete(':id')
  @Requires('operate')
  @ResponseSchema(null, 204)
  remove(@CurrentPrincipal() principal: Principal, @Param('id', webhookId) id: string): Promise<void> {
    return this.webhooks.remove(principal, id);
  }

  @Post(':id/test')
  @Requires('operate')
  @ResponseSchema(schemas.webhookTestResult)
  test(
    @CurrentPrincipal() principal: Principal,
    @Param('id', webhookId) id: string,
    @Body(validatedIfPresent(schemas.testWebhookBody)) { event }: schemas.TestWebhookBody,
  ): Promise<schemas.WebhookTestResult> {
    return this.webhooks.test(principal, id, event ?? null);
  }
}
