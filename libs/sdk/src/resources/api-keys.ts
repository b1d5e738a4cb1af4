import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { Answer, Body } from '../routes.js';

/** Credentials of the organization. */
export class ApiKeys {
  constructor(private readonly http: HttpClient) {}

  /** The key itself is in this answer and never shown again. */
  create(
    key: Omit<Body<'POST /api/v1/api-keys'>, 'permissions'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /api/v1/api-keys'>> {
    return this.http.call('POST /api/v1/api-keys', { ...options, body: key });
  }

  list(options?: CallOptions): Promise<Answer<'GET /api/v1/api-keys'>> {
    return this.http.call('GET /api/v1/api-keys', options);
  }

  get(id: string, options?: CallOptions): Promise<Answer<'GET /api/v1/api-keys/{id}'>> {
    return this.http.call('GET /api/v1/api-keys/{id}', { ...options, params: { id } });
  }

  update(
    id: string,
    change: Body<'PUT /api/v1/api-keys/{id}'>,
    options?: CallOptions,
  ): Promise<Answer<'PUT /api/v1/api-keys/{id}'>> {
    return this.http.call('PUT /api/v1/api-keys/{id}', { ...options, params: { id }, body: change });
  }

  /** Ends it at once, with every stream that it opened. */
  revoke(id: string, options?: CallOptions): Promise<void> {
    return this.http.call('DELETE /api/v1/api-keys/{id}', { ...options, params: { id } });
  }
}
