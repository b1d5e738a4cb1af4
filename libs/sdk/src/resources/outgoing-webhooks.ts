import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { Answer, Body, Query } from '../routes.js';

export type OutgoingWebhook = Answer<'GET /api/v1/outgoing-webhooks/{id}'>;

/** Calls that Spooled makes when something happens. */
export class OutgoingWebhooks {
  constructor(private readonly http: HttpClient) {}

  create(webhook: Body<'POST /api/v1/outgoing-webhooks'>, options?: CallOptions): Promise<OutgoingWebhook> {
    return this.http.call('POST /api/v1/outgoing-webhooks', { ...options, body: webhook });
  }

  list(options?: CallOptions): Promise<OutgoingWebhook[]> {
    return this.http.call('GET /api/v1/outgoing-webhooks', options);
  }

  get(id: string, options?: CallOptions): Promise<OutgoingWebhook> {
    return this.http.call('GET /api/v1/outgoing-webhooks/{id}', { ...options, params: { id } });
  }

  /** What is left out stays; `secret: null` takes the secret away. */
  update(
    id: string,
    change: Body<'PUT /api/v1/outgoing-webhooks/{id}'>,
    options?: CallOptions,
  ): Promise<OutgoingWebhook> {
    return this.http.call('PUT /api/v1/outgoing-webhooks/{id}', { ...options, params: { id }, body: change });
  }

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.http.call('DELETE /api/v1/outgoing-webhooks/{id}', { ...options, params: { id } });
  }

  /** Calls it once, now, and tells what came back. */
  test(id: string, options?: CallOptions): Promise<Answer<'POST /api/v1/outgoing-webhooks/{id}/test'>> {
    return this.http.call('POST /api/v1/outgoing-webhooks/{id}/test', { ...options, params: { id } });
  }

  /** Newest first. */
  deliveries(
    id: string,
    query?: Query<'GET /api/v1/outgoing-webhooks/{id}/deliveries'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /api/v1/outgoing-webhooks/{id}/deliveries'>> {
    return this.http.call('GET /api/v1/outgoing-webhooks/{id}/deliveries', { ...options, params: { id }, query });
  }

  /** @throws ValidationError when it was delivered, or tried too often */
  retryDelivery(
    id: string,
    deliveryId: string,
    options?: CallOptions,
  ): Promise<Answer<'POST /api/v1/outgoing-webhooks/{id}/retry/{deliveryId}'>> {
    const params = { id, deliveryId };
    return this.http.call('POST /api/v1/outgoing-webhooks/{id}/retry/{deliveryId}', { ...options, params });
  }
}
