import type { CallOptions, HttpClient } from '../http/http-client.js';

/** Health and statistics. */
export class HealthChecks {
  constructor(private readonly http: HttpClient) {}

  /** @throws ServerError when the database is unavailable */
  check(options?: CallOptions) {
    return this.http.call('GET /health', options);
  }

  /** An overview of the organization and the system. */
  dashboard(options?: CallOptions) {
    return this.http.call('GET /api/v1/dashboard', options);
  }
}
