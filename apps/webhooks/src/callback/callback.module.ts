import { Global, Module } from '@nestjs/common';
import { SERVICE } from '@spooled/platform';
import { callbackPolicy } from '@spooled/service';
import type { WebhooksService } from '../webhooks.config.js';
import { CallbackClient } from './callback-client.js';

function openClient({ settings, onStop }: WebhooksService): CallbackClient {
  const client = new CallbackClient(callbackPolicy(settings));
  onStop('callback connections', () => client.close());
  return client;
}

/** The one way out to URLs of tenants, for webhooks, tests of webhooks and push queues. */
@Global()
@Module({
  providers: [{ provide: CallbackClient, useFactory: openClient, inject: [SERVICE] }],
  exports: [CallbackClient],
})
export class CallbackModule {}
