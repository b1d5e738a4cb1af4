import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import type { outgoingWebhookSchemas } from '@spooled/contracts';
import { isUuid, notFound } from '@spooled/domain';
import { WebhookTestService } from './webhook-test.service.js';

/**
 * For the gateway, which has no way out to other people's networks. No caller comes here: neither the gateway nor an ingress
 * leads to this path. It asks for no credential, because all it does is to call a registered webhook.
 */
@Controller('internal/outgoing-webhooks')
export class WebhookTestController {
  constructor(private readonly tests: WebhookTestService) {}

  @Post(':organizationId/:id/test')
  @HttpCode(200)
  test(
    @Param('organizationId') organizationId: string,
    @Param('id') id: string,
  ): Promise<outgoingWebhookSchemas.WebhookTestResult> {
    if (!isUuid(organizationId) || !isUuid(id)) throw notFound('Webhook');
    return this.tests.test(organizationId, id);
  }
}
