import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { ResponseBody } from '../routes.js';

/** Health and statistics. */
export class HealthChecks {
  constructor(private readonly http: HttpClient) {}

  /** @throws ServerError when the database is unavailable */
  check(options?: CallOptions): Promise<ResponseBody<'GET /health'>> {
    return this.http.call('GET /health', options);
  }

  /** An overview of the organization and the system. */
  dashboard(options?: CallOptions): Promise<ResponseBody<'GET /api/v1/dashboard'>> {
    return this.http.call('GET /api/v1/dashboard', options);
  }
}
