import { Inject, Injectable } from '@nestjs/common';
import type { outgoingWebhookSchemas } from '@spooled/contracts';
import { notFound, unavailable } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import { request } from 'undici';
import type { GatewaySettings } from '../gateway.config.js';

/** Longer than the timeout of the webhooks service for a receiver that does not respond. */
const timeoutMs = 15_000;
const serviceName = 'The webhooks service';

/** Sends test events through the webhooks service; the gateway itself must not have access to external networks. */
@Injectable()
export class WebhookTester {
  constructor(@Inject(SETTINGS) private readonly settings: GatewaySettings) {}

  /** @throws SpooledError 404 when the webhook has been deleted, 503 when the webhooks service does not respond */
  async test(
    organizationId: string,
    webhookId: string,
    event: outgoingWebhookSchemas.WebhookEventName | null,
  ): Promise<outgoingWebhookSchemas.WebhookTestResult> {
    const { WEBHOOKS_URL: base } = this.settings;
    if (!base) throw unavailable(serviceName);
    const url = new URL(`/internal/outgoing-webhooks/${organizationId}/${webhookId}/test`, base);
    if (event !== null) url.searchParams.set('event', event);
    const response = await post(url).catch((error: unknown) => {
      throw unavailable(serviceName, 1, error);
    });
    if (response.status === 404) throw notFound('Webhook');
    if (response.status !== 200) throw unavailable(serviceName, 1, new Error(`status ${response.status}`));
    return response.body as outgoingWebhookSchemas.WebhookTestResult;
  }
}

async function post(url: URL): Promise<{ status: number; body: unknown }> {
  const { statusCode, body } = await request(url, { method: 'POST', signal: AbortSignal.timeout(timeoutMs) });
  return { status: statusCode, body: await body.json() };
}
