import type { CallOptions } from '../http/http-client.js';
import type { Body, ResponseBody } from '../routes.js';
import type { Operation } from './operations.js';
import { Resource } from './resource.js';

export type OutgoingWebhook = ResponseBody<'GET /api/v1/outgoing-webhooks/{id}'>;

export type ResendPreview = ResponseBody<'POST /api/v1/outgoing-webhooks/{id}/resends'>;
type ResendBody = Omit<Body<'POST /api/v1/outgoing-webhooks/{id}/resends'>, 'dryRun'>;

/** Webhooks that Spooled sends for events. */
export class OutgoingWebhooks extends Resource {
  readonly create = this.withBody('POST /api/v1/outgoing-webhooks');
  readonly list = this.rows('GET /api/v1/outgoing-webhooks');
  readonly get = this.withId('GET /api/v1/outgoing-webhooks/{id}');
  /** Updates a webhook; absent members stay unchanged, `secret: null` removes the secret. */
  readonly update = this.withIdAndBody('PUT /api/v1/outgoing-webhooks/{id}');
  readonly delete = this.withId('DELETE /api/v1/outgoing-webhooks/{id}');
  /** Newest first. */
  readonly deliveries = this.rowsOfId('GET /api/v1/outgoing-webhooks/{id}/deliveries');

  /**
   * Replaces the secret and returns the generated one. For a day, or `previousValidSeconds`, deliveries are signed with the one so far
   * as well.
   */
  rotateSecret(
    id: string,
    {
      secret,
      previousValidSeconds,
      ...options
    }: CallOptions & Body<'POST /api/v1/outgoing-webhooks/{id}/rotate-secret'> = {},
  ) {
    const body = { secret, previousValidSeconds };
    return this.http.call('POST /api/v1/outgoing-webhooks/{id}/rotate-secret', { ...options, params: { id }, body });
  }

  /** Sends a test event now, or an example of `event`, and returns the response of the receiver. */
  test(id: string, { event, ...options }: CallOptions & Body<'POST /api/v1/outgoing-webhooks/{id}/test'> = {}) {
    const body = event ? { event } : {};
    return this.http.call('POST /api/v1/outgoing-webhooks/{id}/test', { ...options, params: { id }, body });
  }

  /** A delivery with its newest 20 attempts. */
  delivery(id: string, deliveryId: string, options?: CallOptions) {
    const params = { id, deliveryId };
    return this.http.call('GET /api/v1/outgoing-webhooks/{id}/deliveries/{deliveryId}', { ...options, params });
  }

  /** @throws ValidationError when it has succeeded or used all attempts */
  retryDelivery(id: string, deliveryId: string, options?: CallOptions) {
    const params = { id, deliveryId };
    return this.http.call('POST /api/v1/outgoing-webhooks/{id}/retry/{deliveryId}', { ...options, params });
  }

  /** Begins to send failed and dropped deliveries since a time again, in the background. Cancelling the operation while it is held undoes it. */
  async resend(id: string, body: ResendBody, options?: CallOptions): Promise<Operation> {
    const call = { ...options, params: { id }, body };
    return (await this.http.call('POST /api/v1/outgoing-webhooks/{id}/resends', call)) as unknown as Operation;
  }

  /** What `resend` would send: the number of deliveries, and the oldest. Changes nothing. */
  previewResend(id: string, body: ResendBody, options?: CallOptions): Promise<ResendPreview> {
    const call = { idempotent: true, ...options, params: { id }, body: { ...body, dryRun: true } };
    return this.http.call('POST /api/v1/outgoing-webhooks/{id}/resends', call);
  }
}
