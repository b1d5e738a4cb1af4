import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { Body, ListQuery } from '../routes.js';

/** API keys of the organization. */
export class ApiKeys {
  constructor(private readonly http: HttpClient) {}

  /** Creates a key. The key is only in this response. */
  create(key: Omit<Body<'POST /api/v1/api-keys'>, 'permissions'>, options?: CallOptions) {
    return this.http.call('POST /api/v1/api-keys', { ...options, body: key });
  }

  list(query?: ListQuery<'GET /api/v1/api-keys'>, options?: CallOptions) {
    return this.http.list('GET /api/v1/api-keys', { ...options, query });
  }

  get(id: string, options?: CallOptions) {
    return this.http.call('GET /api/v1/api-keys/{id}', { ...options, params: { id } });
  }

  update(id: string, change: Body<'PUT /api/v1/api-keys/{id}'>, options?: CallOptions) {
    return this.http.call('PUT /api/v1/api-keys/{id}', { ...options, params: { id }, body: change });
  }

  /** Revokes a key at once and ends its streams. */
  revoke(id: string, options?: CallOptions): Promise<void> {
    return this.http.call('DELETE /api/v1/api-keys/{id}', { ...options, params: { id } });
  }
}
