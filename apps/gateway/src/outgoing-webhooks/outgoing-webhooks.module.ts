import { Module } from '@nestjs/common';
import { DeliveriesController } from './deliveries.controller.js';
import { OutgoingWebhooksController } from './outgoing-webhooks.controller.js';
import { WebhookTester } from './webhook-tester.js';

/** Outgoing webhooks of an organization and their deliveries. */
@Module({
  controllers: [DeliveriesController, OutgoingWebhooksController],
  providers: [WebhookTester],
})
export class OutgoingWebhooksModule {}
