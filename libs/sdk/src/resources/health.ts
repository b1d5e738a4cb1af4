import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { Answer } from '../routes.js';

/** How the system is. */
export class HealthChecks {
  constructor(private readonly http: HttpClient) {}

  /** @throws ServerError when the database is away */
  check(options?: CallOptions): Promise<Answer<'GET /health'>> {
    return this.http.call('GET /health', options);
  }

  /** Figures of the organization and the system in one answer. */
  dashboard(options?: CallOptions): Promise<Answer<'GET /api/v1/dashboard'>> {
    return this.http.call('GET /api/v1/dashboard', options);
  }
}
