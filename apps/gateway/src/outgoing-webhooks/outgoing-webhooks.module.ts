import { Module } from '@nestjs/common';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';
import { OutgoingWebhooksController } from './outgoing-webhooks.controller.js';
import { OutgoingWebhooksService } from './outgoing-webhooks.service.js';
import { WebhookTester } from './webhook-tester.js';

/** The webhooks of an organization: where its events go, and what became of each. */
@Module({
  controllers: [DeliveriesController, OutgoingWebhooksController],
  providers: [DeliveriesService, OutgoingWebhooksService, WebhookTester],
})
export class OutgoingWebhooksModule {}
