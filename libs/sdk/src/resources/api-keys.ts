import type { CallOptions } from '../http/http-client.js';
import type { Body } from '../routes.js';
import { Resource } from './resource.js';

/** API keys of the organization. */
export class ApiKeys extends Resource {
  readonly list = this.rows('GET /api/v1/api-keys');
  readonly get = this.withId('GET /api/v1/api-keys/{id}');
  readonly update = this.withIdAndBody('PUT /api/v1/api-keys/{id}');
  /** Revokes a key at once and ends its streams. */
  readonly revoke = this.withId('DELETE /api/v1/api-keys/{id}');

  /** Creates a key. The key is only in this response. */
  create(key: Omit<Body<'POST /api/v1/api-keys'>, 'permissions'>, options?: CallOptions) {
    return this.http.call('POST /api/v1/api-keys', { ...options, body: key });
  }
}
