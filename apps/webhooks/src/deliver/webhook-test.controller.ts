import { Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import { outgoingWebhookSchemas as schemas } from '@spooled/contracts';
import { badRequest, isUuid, notFound } from '@spooled/domain';
import { WebhookTestService } from './webhook-test.service.js';

/**
 * Internal endpoint for the gateway, which has no outbound network access. Not exposed by the gateway or an ingress. No
 * credential required, because it only calls registered webhooks.
 */
@Controller('internal/outgoing-webhooks')
export class WebhookTestController {
  constructor(private readonly tests: WebhookTestService) {}

  @Post(':organizationId/:id/test')
  @HttpCode(200)
  test(
    @Param('organizationId') organizationId: string,
    @Param('id') id: string,
    @Query('event') name?: string,
  ): Promise<schemas.WebhookTestResult> {
    if (!isUuid(organizationId) || !isUuid(id)) throw notFound('Webhook');
    const { success, data } = schemas.testWebhookBody.safeParse({ event: name });
    if (!success) throw badRequest('Unknown event');
    return this.tests.test(organizationId, id, data.event ?? null);
  }
}
