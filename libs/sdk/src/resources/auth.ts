import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { Answer } from '../routes.js';

/** Access tokens: for screens and streams that should not hold an API key. */
export class Auth {
  constructor(private readonly http: HttpClient) {}

  /** Trades an API key, the client's own where none is given, for an access and a refresh token. */
  login(apiKey?: string, options?: CallOptions): Promise<Answer<'POST /api/v1/auth/login'>> {
    const key = apiKey ?? this.http.settings.credentials.apiKey;
    if (key === undefined) throw new TypeError('login needs an API key');
    return this.http.call('POST /api/v1/auth/login', { ...options, body: { apiKey: key } });
  }

  /** A new access token. Clients that were given a refresh token do this themselves when the old one runs out. */
  refresh(refreshToken: string, options?: CallOptions): Promise<Answer<'POST /api/v1/auth/refresh'>> {
    return this.http.call('POST /api/v1/auth/refresh', { repeatable: true, ...options, body: { refreshToken } });
  }

  /** Ends the session of the client's access token. */
  logout(refreshToken?: string, options?: CallOptions): Promise<void> {
    return this.http.call('POST /api/v1/auth/logout', { ...options, body: { refreshToken } });
  }

  /** Who the client's access token speaks for. */
  me(options?: CallOptions): Promise<Answer<'GET /api/v1/auth/me'>> {
    return this.http.call('GET /api/v1/auth/me', options);
  }

  /** Judges any token; never throws for a bad one. */
  validate(token: string, options?: CallOptions): Promise<Answer<'POST /api/v1/auth/validate'>> {
    return this.http.call('POST /api/v1/auth/validate', { repeatable: true, ...options, body: { token } });
  }
}
