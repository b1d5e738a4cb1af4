import { Injectable } from '@nestjs/common';
import type { outgoingWebhookSchemas } from '@spooled/contracts';
import { Database, findWebhookTarget, type WebhookTarget } from '@spooled/data-access';
import { deliveryEnvelope, isDelivered, notFound } from '@spooled/domain';
import { newId } from '@spooled/platform';
import { CallbackClient } from '../callback/callback-client.js';
import { reasonOf } from '../callback/callback-error.js';
import { headersOfWebhook } from './delivery-request.js';
import { exampleOf } from './example-events.js';
import { chatMessage } from './message-formats.js';

type WebhookEventName = outgoingWebhookSchemas.WebhookEventName;

/** Sends a test call to a webhook. Nothing is recorded, and it does not count as a delivery. */
@Injectable()
export class WebhookTestService {
  constructor(
    private readonly db: Database,
    private readonly client: CallbackClient,
  ) {}

  /**
   * Also for disabled webhooks.
   * @param event of which an example is sent; null = `webhook.test`
   * @throws SpooledError 404, 503 when PostgreSQL is unavailable
   */
  async test(
    organizationId: string,
    webhookId: string,
    event: WebhookEventName | null,
  ): Promise<outgoingWebhookSchemas.WebhookTestResult> {
    const target = await this.db.withTenant(organizationId, (tx) => findWebhookTarget(tx, webhookId));
    if (!target) throw notFound('Webhook');
    const now = new Date();
    const message = event
      ? exampleMessage(event, target, now)
      : testMessage({ organizationId, webhookId }, target, now);
    const startedAt = performance.now();
    const result = await this.call(target, message, now);
    return { ...result, response_time_ms: Math.round(performance.now() - startedAt) };
  }

  private async call({ url, secret }: WebhookTarget, { event, body }: Message, now: Date) {
    try {
      const { statusCode } = await this.client.post(url, {
        headers: { ...headersOfWebhook({ event, attempt: 1, secret, body }, now.getTime()), 'x-spooled-test': 'true' },
        body,
      });
      const success = isDelivered(statusCode);
      return { success, status_code: statusCode, error: success ? null : `HTTP ${statusCode}` };
    } catch (error) {
      return { success: false, status_code: null, error: reasonOf(error) };
    }
  }
}

interface Message {
  event: string;
  body: string;
}

function testMessage(
  { organizationId, webhookId }: { organizationId: string; webhookId: string },
  { format }: WebhookTarget,
  now: Date,
): Message {
  const event = 'webhook.test';
  const envelope = JSON.stringify({
    event,
    webhook_id: webhookId,
    organization_id: organizationId,
    timestamp: now.toISOString(),
    test: true,
    message: 'This is a test call of your Spooled webhook',
  });
  return { event, body: chatMessage(format, event, envelope) ?? envelope };
}

/** As a delivery of the event. A header says that it is a test, because a body with another member would not be realistic. */
function exampleMessage(event: WebhookEventName, { format }: WebhookTarget, now: Date): Message {
  const data = JSON.stringify(exampleOf(event, now));
  const envelope = deliveryEnvelope({ id: newId(), event, createdAt: now.toISOString(), data });
  return { event, body: chatMessage(format, event, data) ?? envelope };
}
