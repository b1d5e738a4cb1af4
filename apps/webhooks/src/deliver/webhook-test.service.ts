import { Injectable } from '@nestjs/common';
import type { outgoingWebhookSchemas } from '@spooled/contracts';
import { Database, findWebhookTarget, type WebhookTarget } from '@spooled/data-access';
import { isDelivered, notFound } from '@spooled/domain';
import { CallbackClient } from '../callback/callback-client.js';
import { reasonOf } from '../callback/callback-error.js';
import { headersOfWebhook } from './delivery-request.js';
import { chatMessage } from './message-formats.js';

const event = 'webhook.test';

/** Sends a test call to a webhook. Nothing is recorded, and it does not count as a delivery. */
@Injectable()
export class WebhookTestService {
  constructor(
    private readonly db: Database,
    private readonly client: CallbackClient,
  ) {}

  /** Also for disabled webhooks. @throws SpooledError 404, 503 when PostgreSQL is unavailable */
  async test(organizationId: string, webhookId: string): Promise<outgoingWebhookSchemas.WebhookTestResult> {
    const target = await this.db.withTenant(organizationId, (tx) => findWebhookTarget(tx, webhookId));
    if (!target) throw notFound('Webhook');
    const startedAt = performance.now();
    const result = await this.call(target, organizationId, webhookId);
    return { ...result, response_time_ms: Math.round(performance.now() - startedAt) };
  }

  private async call({ url, secret, format }: WebhookTarget, organizationId: string, webhookId: string) {
    const now = new Date();
    const envelope = JSON.stringify({
      event,
      webhook_id: webhookId,
      organization_id: organizationId,
      timestamp: now.toISOString(),
      test: true,
      message: 'This is a test call of your Spooled webhook',
    });
    const body = chatMessage(format, event, envelope) ?? envelope;
    try {
      const { statusCode } = await this.client.post(url, {
        headers: headersOfWebhook({ event, attempt: 1, secret, body }, now.getTime()),
        body,
      });
      const success = isDelivered(statusCode);
      return { success, status_code: statusCode, error: success ? null : `HTTP ${statusCode}` };
    } catch (error) {
      return { success: false, status_code: null, error: reasonOf(error) };
    }
  }
}
