import type { CallOptions } from '../http/http-client.js';
import { pathOf } from '../http/path.js';
import type { Body } from '../routes.js';
import { githubSignature, standardHeaders, stripeSignature } from '../signatures.js';
import { Resource } from './resource.js';

export interface CustomWebhook extends CallOptions {
  organizationId: string;
  /** The organization's webhook token. */
  token: string;
  webhook: Body<'POST /api/v1/webhooks/{organizationId}/custom'>;
}

export interface GithubWebhook extends CallOptions {
  organizationId: string;
  /** Event type, such as `push`. */
  event: string;
  /** The text that is signed. */
  body: string;
  secret: string;
  token?: string;
  /** Makes the call idempotent: one delivery becomes one job. */
  deliveryId?: string;
}

export interface StripeWebhook extends CallOptions {
  organizationId: string;
  /** The text that is signed: an event with `id` and `type`. */
  body: string;
  secret: string;
  token?: string;
}

export interface StandardWebhook extends CallOptions {
  organizationId: string;
  /** Makes the call idempotent: one id becomes one job. */
  id: string;
  /** The text that is signed: JSON with a `type`. */
  body: string;
  /** `whsec_` and the key in Base64. */
  secret: string;
}

/** Sends inbound webhooks as GitHub, Stripe, senders of Standard Webhooks or custom senders do, for tests and integrations, and lists those that arrived. */
export class Ingestion extends Resource {
  /** Accepted webhooks of the organization, or refused ones by `status`, newest first; needs a key without queue scope. */
  readonly deliveries = this.rows('GET /api/v1/webhooks/deliveries');

  async custom(webhook: CustomWebhook) {
    const { organizationId, token, webhook: body, ...options } = webhook;
    return this.http.call('POST /api/v1/webhooks/{organizationId}/custom', {
      ...options,
      params: { organizationId },
      headers: { 'x-webhook-token': token },
      body,
    });
  }

  async github({ organizationId, event, body, secret, token, deliveryId, ...options }: GithubWebhook): Promise<void> {
    const headers = {
      'x-github-event': event,
      'x-hub-signature-256': githubSignature(body, secret),
      ...(deliveryId && { 'x-github-delivery': deliveryId }),
      ...(token && { 'x-webhook-token': token }),
    };
    const path = pathFor(organizationId, 'github');
    const idempotent = deliveryId !== undefined;
    await this.http.send({ idempotent, ...options, method: 'POST', path, body, headers });
  }

  async stripe({ organizationId, body, secret, token, ...options }: StripeWebhook): Promise<void> {
    const headers = {
      'stripe-signature': stripeSignature(body, secret),
      ...(token && { 'x-webhook-token': token }),
    };
    // The event's id is the idempotency key.
    const path = pathFor(organizationId, 'stripe');
    await this.http.send({ idempotent: true, ...options, method: 'POST', path, body, headers });
  }

  async standard({ organizationId, id, body, secret, ...options }: StandardWebhook): Promise<void> {
    const headers = standardHeaders(body, secret, id);
    const path = pathFor(organizationId, 'standard');
    await this.http.send({ idempotent: true, ...options, method: 'POST', path, body, headers });
  }
}

const pathFor = (organizationId: string, sender: string): string =>
  pathOf(`/api/v1/webhooks/{organizationId}/${sender}`, { organizationId });
