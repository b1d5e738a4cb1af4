import { Injectable } from '@nestjs/common';
import type { outgoingWebhookSchemas } from '@spooled/contracts';
import { Database, findWebhookTarget, type WebhookTarget } from '@spooled/data-access';
import { isDelivered, notFound } from '@spooled/domain';
import { newId } from '@spooled/platform';
import { CallbackClient } from '../callback/callback-client.js';
import { reasonOf } from '../callback/callback-error.js';
import { callOf, headersOfWebhook } from './delivery-request.js';
import { exampleOf } from './example-events.js';

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
    const target = await this.db.withTenant(organizationId, (tx) => tx.first(findWebhookTarget, { id: webhookId }));
    if (!target) throw notFound('Webhook');
    const now = new Date();
    const sent = event ? exampleOf(event, now) : testData({ organizationId, webhookId });
    const head = { organizationId, id: newId(), event: event ?? testEvent, createdAt: now.toISOString() };
    const call = callOf({ ...head, data: JSON.stringify(sent) }, target, 1);
    const isPublished = event === null && target.format === 'json';
    if (isPublished) call.body = publishedTest({ organizationId, webhookId }, now);
    const startedAt = performance.now();
    const result = await this.call(target, call, now);
    return { ...result, response_time_ms: Math.round(performance.now() - startedAt) };
  }

  /** A header says that it is a test, because the body of an example with another member would not be realistic. */
  private async call(target: WebhookTarget, call: ReturnType<typeof callOf>, now: Date) {
    try {
      const { statusCode } = await this.client.post(target.url, {
        headers: { ...headersOfWebhook(call, target, now.getTime()), 'x-spooled-test': 'true' },
        body: call.body,
      });
      const success = isDelivered(statusCode);
      return { success, status_code: statusCode, error: success ? null : `HTTP ${statusCode}` };
    } catch (error) {
      return { success: false, status_code: null, error: reasonOf(error) };
    }
  }
}

interface Tested {
  organizationId: string;
  webhookId: string;
}

const testEvent = 'webhook.test';

const testData = ({ organizationId, webhookId }: Tested) => ({
  webhook_id: webhookId,
  organization_id: organizationId,
  test: true,
  message: 'This is a test call of your Spooled webhook',
});

/** The json format has members of its own for tests, as published. */
function publishedTest(tested: Tested, now: Date): string {
  const { webhook_id, organization_id, ...rest } = testData(tested);
  return JSON.stringify({ event: testEvent, webhook_id, organization_id, timestamp: now.toISOString(), ...rest });
}
