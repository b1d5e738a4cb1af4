import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { Body, ListQuery, ResponseBody } from '../routes.js';

export type Organization = ResponseBody<'GET /api/v1/organizations/{id}'>;

/** The caller's organization, and registration. */
export class Organizations {
  constructor(private readonly http: HttpClient) {}

  /** Registers an organization. Its first API key is only in this response. Needs no credential if registration is open. */
  create(organization: Body<'POST /api/v1/organizations'>, options?: CallOptions) {
    return this.http.call('POST /api/v1/organizations', { ...options, body: organization });
  }

  /** The caller's organization. */
  list(query?: ListQuery<'GET /api/v1/organizations'>, options?: CallOptions) {
    return this.http.list('GET /api/v1/organizations', { ...options, query });
  }

  get(id: string, options?: CallOptions): Promise<Organization> {
    return this.http.call('GET /api/v1/organizations/{id}', { ...options, params: { id } });
  }

  /** Updates an organization; `settings` are replaced as a whole. */
  update(id: string, change: Body<'PUT /api/v1/organizations/{id}'>, options?: CallOptions): Promise<Organization> {
    return this.http.call('PUT /api/v1/organizations/{id}', { ...options, params: { id }, body: change });
  }

  /** @throws ConflictError while it has active jobs, workers or schedules */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.http.call('DELETE /api/v1/organizations/{id}', { ...options, params: { id } });
  }

  members(id: string, query?: ListQuery<'GET /api/v1/organizations/{id}/members'>, options?: CallOptions) {
    return this.http.list('GET /api/v1/organizations/{id}/members', { ...options, params: { id }, query });
  }

  /** Usage and plan limits. */
  usage(options?: CallOptions) {
    return this.http.call('GET /api/v1/organizations/usage', options);
  }

  checkSlug(slug: string, options?: CallOptions) {
    return this.http.call('GET /api/v1/organizations/check-slug/{slug}', { ...options, params: { slug } });
  }

  generateSlug(name: string, options?: CallOptions) {
    return this.http.call('POST /api/v1/organizations/generate-slug', { idempotent: true, ...options, body: { name } });
  }

  /** The token that authenticates inbound webhooks. */
  webhookToken(options?: CallOptions) {
    return this.http.call('GET /api/v1/organizations/webhook-token', options);
  }

  regenerateWebhookToken(options?: CallOptions) {
    return this.http.call('POST /api/v1/organizations/webhook-token/regenerate', options);
  }
}
