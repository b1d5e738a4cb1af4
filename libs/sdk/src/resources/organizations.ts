import type { CallOptions } from '../http/http-client.js';
import type { ResponseBody } from '../routes.js';
import { Resource } from './resource.js';

export type Organization = ResponseBody<'GET /api/v1/organizations/{id}'>;

/** The caller's organization, and registration. */
export class Organizations extends Resource {
  /** Registers an organization. Its first API key is only in this response. Needs no credential if registration is open. */
  readonly create = this.withBody('POST /api/v1/organizations');
  /** The caller's organization. */
  readonly list = this.rows('GET /api/v1/organizations');
  readonly get = this.withId('GET /api/v1/organizations/{id}');
  /** Updates an organization; `settings` are replaced as a whole. */
  readonly update = this.withIdAndBody('PUT /api/v1/organizations/{id}');
  /** @throws ConflictError while it has active jobs, workers or schedules */
  readonly delete = this.withId('DELETE /api/v1/organizations/{id}');
  readonly members = this.rowsOfId('GET /api/v1/organizations/{id}/members');
  /** Usage and plan limits. */
  readonly usage = this.withoutInput('GET /api/v1/organizations/usage');
  /** The token that authenticates inbound webhooks. */
  readonly webhookToken = this.withoutInput('GET /api/v1/organizations/webhook-token');
  readonly regenerateWebhookToken = this.withoutInput('POST /api/v1/organizations/webhook-token/regenerate');

  checkSlug(slug: string, options?: CallOptions) {
    return this.http.call('GET /api/v1/organizations/check-slug/{slug}', { ...options, params: { slug } });
  }

  generateSlug(name: string, options?: CallOptions) {
    return this.http.call('POST /api/v1/organizations/generate-slug', { idempotent: true, ...options, body: { name } });
  }
}
