import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { Query, ResponseBody } from '../routes.js';

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

  /** Rates, depths and ages of a queue, or of all queues, in steps of 10 seconds to an hour. */
  series(query?: Query<'GET /api/v1/series'>, options?: CallOptions): Promise<ResponseBody<'GET /api/v1/series'>> {
    return this.http.call('GET /api/v1/series', { ...options, query });
  }

  /** What stands still, fails or gets worse, the likely causes first, each with what can be done about it. */
  problems(options?: CallOptions): Promise<ResponseBody<'GET /api/v1/problems'>> {
    return this.http.call('GET /api/v1/problems', options);
  }
}
