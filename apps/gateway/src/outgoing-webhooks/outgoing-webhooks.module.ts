import { Module } from '@nestjs/common';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';
import { OutgoingWebhooksController } from './outgoing-webhooks.controller.js';
import { OutgoingWebhooksService } from './outgoing-webhooks.service.js';
import { WebhookTester } from './webhook-tester.js';

/** Outgoing webhooks of an organization and their deliveries. */
@Module({
  controllers: [DeliveriesController, OutgoingWebhooksController],
  providers: [DeliveriesService, OutgoingWebhooksService, WebhookTester],
})
export class OutgoingWebhooksModule {}
