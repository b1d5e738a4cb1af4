import { Module } from '@nestjs/common';
import { InboundWebhooksController } from './inbound-webhooks.controller.js';

/** The log of inbound webhooks of an organization. */
@Module({ controllers: [InboundWebhooksController] })
export class InboundWebhooksModule {}
