import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { Answer, Body } from '../routes.js';

export type Organization = Answer<'GET /api/v1/organizations/{id}'>;

/** The caller's organization, and how to get one. */
export class Organizations {
  constructor(private readonly http: HttpClient) {}

  /** Registers one; its first API key is in the answer and never shown again. Needs no credential where registration is open. */
  create(
    organization: Body<'POST /api/v1/organizations'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /api/v1/organizations'>> {
    return this.http.call('POST /api/v1/organizations', { ...options, body: organization });
  }

  /** The caller's own. */
  list(options?: CallOptions): Promise<Answer<'GET /api/v1/organizations'>> {
    return this.http.call('GET /api/v1/organizations', options);
  }

  get(id: string, options?: CallOptions): Promise<Organization> {
    return this.http.call('GET /api/v1/organizations/{id}', { ...options, params: { id } });
  }

  /** `settings` replace what was there. */
  update(id: string, change: Body<'PUT /api/v1/organizations/{id}'>, options?: CallOptions): Promise<Organization> {
    return this.http.call('PUT /api/v1/organizations/{id}', { ...options, params: { id }, body: change });
  }

  /** @throws ConflictError while it has active jobs, workers or schedules */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.http.call('DELETE /api/v1/organizations/{id}', { ...options, params: { id } });
  }

  members(id: string, options?: CallOptions): Promise<Answer<'GET /api/v1/organizations/{id}/members'>> {
    return this.http.call('GET /api/v1/organizations/{id}/members', { ...options, params: { id } });
  }

  /** What the plan allows, and how much of it is used. */
  usage(options?: CallOptions): Promise<Answer<'GET /api/v1/organizations/usage'>> {
    return this.http.call('GET /api/v1/organizations/usage', options);
  }

  checkSlug(slug: string, options?: CallOptions): Promise<Answer<'GET /api/v1/organizations/check-slug/{slug}'>> {
    return this.http.call('GET /api/v1/organizations/check-slug/{slug}', { ...options, params: { slug } });
  }

  generateSlug(name: string, options?: CallOptions): Promise<Answer<'POST /api/v1/organizations/generate-slug'>> {
    return this.http.call('POST /api/v1/organizations/generate-slug', { repeatable: true, ...options, body: { name } });
  }

  /** The secret that inbound webhooks carry. */
  webhookToken(options?: CallOptions): Promise<Answer<'GET /api/v1/organizations/webhook-token'>> {
    return this.http.call('GET /api/v1/organizations/webhook-token', options);
  }

  regenerateWebhookToken(
    options?: CallOptions,
  ): Promise<Answer<'POST /api/v1/organizations/webhook-token/regenerate'>> {
    return this.http.call('POST /api/v1/organizations/webhook-token/regenerate', options);
  }
}
