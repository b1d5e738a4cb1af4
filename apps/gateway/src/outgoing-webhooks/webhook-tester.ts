import { Inject, Injectable } from '@nestjs/common';
import type { outgoingWebhookSchemas } from '@spooled/contracts';
import { notFound, unavailable } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import { request } from 'undici';
import type { GatewaySettings } from '../gateway.config.js';

/** Longer than the service itself takes for a receiver that does not answer. */
const limitMs = 15_000;
const serviceName = 'The webhooks service';

/** Has a webhook called by the webhooks service: this process has no way out to other people's networks, on purpose. */
@Injectable()
export class WebhookTester {
  constructor(@Inject(SETTINGS) private readonly settings: GatewaySettings) {}

  /** @throws SpooledError 404 when the webhook is gone, 503 when the webhooks service does not answer */
  async test(organizationId: string, webhookId: string): Promise<outgoingWebhookSchemas.WebhookTestResult> {
    const { WEBHOOKS_URL: base } = this.settings;
    if (!base) throw unavailable(serviceName);
    const url = new URL(`/internal/outgoing-webhooks/${organizationId}/${webhookId}/test`, base);
    const answer = await ask(url).catch((error: unknown) => {
      throw unavailable(serviceName, 1, error);
    });
    if (answer.status === 404) throw notFound('Webhook');
    if (answer.status !== 200) throw unavailable(serviceName, 1, new Error(`status ${answer.status}`));
    return answer.body as outgoingWebhookSchemas.WebhookTestResult;
  }
}

async function ask(url: URL): Promise<{ status: number; body: unknown }> {
  const { statusCode, body } = await request(url, { method: 'POST', signal: AbortSignal.timeout(limitMs) });
  return { status: statusCode, body: await body.json() };
}
