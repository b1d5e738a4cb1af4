import type { CallOptions } from '../http/http-client.js';
import { Resource } from './resource.js';

/** Access tokens, for browsers and streams that should not hold an API key. */
export class Auth extends Resource {
  /** The organization and key of the client's access token. */
  readonly me = this.withoutInput('GET /api/v1/auth/me');

  /** Exchanges an API key (default: the client's) for an access token and a refresh token. */
  login(apiKey?: string, options?: CallOptions) {
    const key = apiKey ?? this.http.settings.credentials.apiKey;
    if (key === undefined) throw new TypeError('login needs an API key');
    return this.http.call('POST /api/v1/auth/login', { ...options, body: { apiKey: key } });
  }

  /** Issues a new access token. Clients with a refresh token do this automatically when the old one expires. */
  refresh(refreshToken: string, options?: CallOptions) {
    return this.http.call('POST /api/v1/auth/refresh', { idempotent: true, ...options, body: { refreshToken } });
  }

  /** Ends the session of the client's access token. */
  logout(refreshToken?: string, options?: CallOptions): Promise<void> {
    return this.http.call('POST /api/v1/auth/logout', { ...options, body: { refreshToken } });
  }

  /** Checks any token; does not throw for an invalid one. */
  validate(token: string, options?: CallOptions) {
    return this.http.call('POST /api/v1/auth/validate', { idempotent: true, ...options, body: { token } });
  }
}
